/** The file descriptor of a `net.Socket`, for asking the kernel who is at its other end. Throws where there is none. */
export function socketFd(socket: object): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  if (typeof fd !== 'number' || fd < 0) throw new Error('the socket has no file descriptor');
  return fd;
}
