"""Figures of histories and fits."""
