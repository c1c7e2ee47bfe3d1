"""The exact solitary wave of a row of equal beads under Hertz's law, computed apart from beadwave.

The overlap r of a contact obeys m r''(t) = K [r(t + s)^(3/2) - 2 r(t)^(3/2) + r(t - s)^(3/2)], where s is the time of one bead
spacing. With r(t) = (m / (K s^2))^2 rho(t / s) this is rho = tent * rho^(3/2) (English and Pego 2005), a convolution with the tent
function 1 - |x|, whose Fourier transform is sinc^2. Petviashvili's iteration solves it on a grid, with spectral accuracy.
"""
import numpy as np

POINTS, LENGTH = 4096, 16.0


class LatticeWave:
    """For stiffness K [N m^-3/2], mass [kg] and the largest mean force of the two contacts of a bead, as a sensor has it [N]."""

    def __init__(self, stiffness, mass, sensor_force):
        self.x = LENGTH * (np.arange(POINTS) / POINTS - 0.5)
        omega = 2.0 * np.pi * np.fft.fftfreq(POINTS, LENGTH / POINTS)
        self._omega, tent = omega, np.sinc(omega / (2.0 * np.pi))**2
        rho = np.exp(-self.x**2)
        for _ in range(500):
            new = np.real(np.fft.ifft(tent * np.fft.fft(np.maximum(rho, 0.0)**1.5)))
            factor = np.sum(rho**2) / np.sum(rho * new)
            previous, rho = rho, factor**3 * new
            if np.max(np.abs(rho - previous)) < 1e-15 * rho.max():
                break
        self.residual = float(np.max(np.abs(rho - np.real(np.fft.ifft(tent * np.fft.fft(np.maximum(rho, 0.0)**1.5))))) / rho.max())
        contact = np.maximum(rho, 0.0)**1.5
        mean = 0.5 * (self._at(contact, 0.0) + self._at(contact, 1.0))  # the sensor of bead n, halfway between its contacts at x = 1/2
        top = float(self._values(mean, np.array([0.5]))[0])
        self.time_per_bead = (stiffness * (mass / stiffness)**3 * top / sensor_force)**(1.0 / 6.0)  # [s]
        # m v' = left - right contact force, so v is their integral.
        difference = np.fft.fft(self._at(contact, 1.0) - self._at(contact, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            velocity = np.real(np.fft.ifft(np.where(omega == 0.0, 0.0, difference / (1j * omega))))
        velocity -= velocity[0]
        force = stiffness * (mass / (stiffness * self.time_per_bead**2))**3  # of contact = 1 [N]
        speed = force * self.time_per_bead / mass  # of velocity = 1 [m/s]
        self.energy = abs(float(np.sum(mean * velocity))) * LENGTH / POINTS * force * speed * self.time_per_bead  # [J]
        self.particle_speed = abs(velocity[np.argmax(np.abs(velocity))]) * speed  # largest [m/s]
        fine = np.linspace(0.5, 3.0, 200001)
        values = self._values(mean, fine[::100])
        k = np.flatnonzero(values < 0.5 * top)[0]
        low, high = fine[::100][k - 1], fine[::100][k]
        for _ in range(60):
            half = 0.5 * (low + high)
            low, high = (half, high) if self._values(mean, np.array([half]))[0] > 0.5 * top else (low, half)
        self.width = 2.0 * (half - 0.5)  # full width of the sensor's force at half of its height, in bead spacings

    def _at(self, values, shift):
        """values(x - shift) on the grid."""
        return np.real(np.fft.ifft(np.fft.fft(values) * np.exp(-1j * self._omega * shift)))

    def _values(self, values, x):
        """Of the periodic function on the grid, at any x."""
        return np.real(np.exp(1j * np.outer(x - self.x[0], self._omega)) @ np.fft.fft(values)) / POINTS
