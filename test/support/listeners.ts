/** Finds where a process listens from the kernel's tables, so that no undeclared listener is missed. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Listener {
  /** In the kernel's notation: IPv4 in dots, IPv6 as 32 hexadecimal digits. */
  readonly address: string;
  readonly port: number;
}

const LISTEN = '0A';

/** The TCP listeners of a process, lowest port first. */
export function listenersOf(pid: number): Listener[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // The descriptor was closed during the scan.
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode = '']) => state === LISTEN && sockets.has(inode))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      return { address: readable(address), port: Number.parseInt(port, 16) };
    })
    .sort((one, other) => one.port - other.port);
}

/** The table stores an IPv4 address as one little-endian number. */
function readable(address: string): string {
  if (address.length !== 8) return address;
  return [...Buffer.from(address, 'hex')].reverse().join('.');
}
