"""Commands that read: photographs, whole games, archives of them, and a camera's view."""
