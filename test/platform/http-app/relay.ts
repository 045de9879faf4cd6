/** A TCP relay in front of a real server, so that a test can interrupt and restore the connection. */
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

export interface Relay {
  readonly port: number;
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Opens a relay to a server on this machine. */
export async function openRelay(host: string, port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The relay has no port.');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cut,
    mend: () => (isCut = false),
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
