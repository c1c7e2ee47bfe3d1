"""Figures and analyses of histories, fits and modes."""
