globalThis.seen = [];
globalThis.chaperone.onMessage((text) => globalThis.seen.push(text));
