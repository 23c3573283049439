/** Messages of GABP over a pair of streams, as the specification describes them. Shares no code with the product. */
export function speak(input, output, { onMessage, onEnd }) {
  let held = Buffer.alloc(0);
  input.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (let end = held.indexOf('\r\n\r\n'); end >= 0; end = held.indexOf('\r\n\r\n')) {
      const length = Number(/^content-length: *(\d+) *$/im.exec(held.subarray(0, end).toString('latin1'))?.[1]);
      if (!(length > 0)) throw new Error(`a header without a length: ${held.subarray(0, end)}`);
      if (held.length < end + 4 + length) return;
      const body = held.subarray(end + 4, end + 4 + length).toString('utf8');
      held = held.subarray(end + 4 + length);
      onMessage(JSON.parse(body));
    }
  });
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  input.on('end', end).on('close', end).on('error', end);
  output.on('error', end);
  return (message) => {
    const body = Buffer.from(JSON.stringify(message), 'utf8');
    const header = `Content-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n`;
    output.write(Buffer.concat([Buffer.from(header, 'latin1'), body]));
  };
}
