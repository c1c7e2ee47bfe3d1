// Unpacks what the page holds: text in base64, compressed by gzip. array_bytes.py describes the arrays.

async function unpackedBytes(id) {
    const text = document.getElementById(id).textContent.trim();
    const packed = atob(text);
    const bytes = new Uint8Array(packed.length);
    for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpackedText(id) {
    return new TextDecoder().decode(await unpackedBytes(id));
}

// The numbers of one array: [bytes of a number, offset, count, stride of the differences].
function arrayOf(bytes, [size, offset, count, stride]) {
    const numbers = size === 1 ? new Uint8Array(count) : size === 2 ? new Uint16Array(count) : new Uint32Array(count);
    for (let plane = 0; plane < size; plane++) {
        const from = offset + plane * count, shift = 8 * plane;
        for (let i = 0; i < count; i++) numbers[i] |= bytes[from + i] << shift;
    }
    if (stride > 0) {
        const first = Math.min(stride, count);
        for (let i = 1; i < first; i++) numbers[i] += numbers[i - 1];
        for (let i = stride; i < count; i++) numbers[i] += numbers[i - stride];
    }
    return numbers;
}

function arraysOf(bytes, table) {
    return Object.fromEntries(Object.entries(table).map(([name, where]) => [name, arrayOf(bytes, where)]));
}
