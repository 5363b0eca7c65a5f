"""Commands that read pictures: photographs, whole games, archives, a camera's view."""
