"""An RTSP camera for tests; run by the system's Python, which has GStreamer's bindings.

    /usr/bin/python3 tests/app/cameras/rtsp_server.py

Prints its port. `/film` is H.264, `/pictures` MJPEG, `/sound` has no picture at all.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

SOURCE = (
    "videotestsrc is-live=true pattern=ball "
    "! video/x-raw,format=I420,width=640,height=480,framerate=15/1"
)
MOUNTS = {
    "/film": f"{SOURCE} ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=15 "
    "! rtph264pay name=pay0 pt=96",
    "/pictures": f"{SOURCE} ! jpegenc ! rtpjpegpay name=pay0 pt=26",
    "/sound": "audiotestsrc is-live=true ! mulawenc ! rtppcmupay name=pay0 pt=0",
}


def main() -> None:
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(sys.argv[1] if len(sys.argv) > 1 else "0")
    for path, pipeline in MOUNTS.items():
        factory = GstRtspServer.RTSPMediaFactory()
        factory.set_launch(f"( {pipeline} )")
        factory.set_shared(True)
        server.get_mount_points().add_factory(path, factory)
    if not server.attach(None):
        sys.exit("the port is taken")
    print(server.get_bound_port(), flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
