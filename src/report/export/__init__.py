"""Histories in the formats of other programs: one file per format. A format is one row of FORMATS: the ending of its files and the
module whose write(frames, path, snapshot) writes them."""
FORMATS = {".dump": "lammps_dump", ".lammpstrj": "lammps_dump", ".data": "lammps_data", ".gsd": "gsd_file", ".vtkhdf": "vtkhdf",
           ".hdf": "vtkhdf", ".xyz": "xyz", ".csv": "csv_file", ".vtp": "vtp"}
