// Colours of numbers from 0 to 1 (viridis) and from -1 to 1 (blue, grey, red), as 32-bit pixels, and as CSS.

const VIRIDIS = ["440154", "482475", "414487", "355f8d", "2a788e", "21918c", "22a884", "44bf70", "7ad151", "bddf26", "fde725"];
const BLUE_RED = ["2166ac", "4393c3", "92c5de", "d0d0d0", "f4a582", "d6604d", "b2182b"];

function channels(palette, place) {
    const at = Math.min(Math.max(place, 0), 1) * (palette.length - 1), low = Math.min(Math.floor(at), palette.length - 2);
    return [0, 2, 4].map(c => {
        const a = parseInt(palette[low].slice(c, c + 2), 16), b = parseInt(palette[low + 1].slice(c, c + 2), 16);
        return Math.round(a + (at - low) * (b - a));
    });
}

// 256 colours [red, green, blue].
function colourTable(signed) {
    return Array.from({length: 256}, (_, i) => channels(signed ? BLUE_RED : VIRIDIS, i / 255));
}

function gradient(signed) {
    return `linear-gradient(to right, ${(signed ? BLUE_RED : VIRIDIS).map(colour => "#" + colour).join(", ")})`;
}
