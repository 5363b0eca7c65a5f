"""What several tests share: pictures, readings made up, labelled data."""
