"""Pictures of packings and mechanisms without a browser: what the players of the page draw, in numpy and Pillow, at any size."""
