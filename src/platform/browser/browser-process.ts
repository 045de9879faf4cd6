/**
 * The operator's Chromium as a process without network access: it resolves no names, its only proxy does not exist, and
 * it communicates with us through a pipe. It gets a new profile folder, which is deleted with it.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser as Chromium } from 'puppeteer-core';
import { BrowserFault } from './page-order.js';

/** Startup timeout in milliseconds. */
const START_TIMEOUT_MS = 20_000;
/** Size of a memory page on Linux, in bytes. */
const MEMORY_PAGE = 4_096;

const SWITCHES = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-dev-shm-usage',
  '--disable-breakpad',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-default-apps',
  '--no-pings',
  '--no-default-browser-check',
  '--hide-scrollbars',
  '--mute-audio',
  '--dns-prefetch-disable',
  '--force-color-profile=srgb',
  '--renderer-process-limit=5',
  // No name resolves and no address is reachable, including that of the proxy.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--disable-features=WebRtcHideLocalIpsWithMdns,MediaRouter,OptimizationHints,Translate,PreconnectToSearch,NetworkPrediction',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** The PATH for a distribution's Chromium, which may be a script that calls other programs. */
const PROGRAMS = '/usr/local/bin:/usr/bin:/bin';

/** Whether Chromium must run without its own sandbox, which does not work as root. */
export function hasNoSandbox(): boolean {
  return process.getuid?.() === 0;
}

export class BrowserProcess {
  private ended: Promise<void> | undefined;

  private constructor(
    readonly chromium: Chromium,
    private readonly folder: string,
  ) {}

  /** @throws BrowserFault if it does not start. */
  static async start(path: string): Promise<BrowserProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'waypost-browser-'));
    try {
      const { default: puppeteer } = await import('puppeteer-core');
      const chromium = await puppeteer.launch({
        executablePath: path,
        headless: true,
        pipe: true,
        userDataDir: folder,
        timeout: START_TIMEOUT_MS,
        acceptInsecureCerts: false,
        // Keep this process's secrets out of its environment.
        env: { PATH: PROGRAMS, HOME: folder, TMPDIR: tmpdir(), LANG: 'C.UTF-8' },
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        args: [...SWITCHES, ...(hasNoSandbox() ? ['--no-sandbox'] : [])],
      });
      return new BrowserProcess(chromium, folder);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw new BrowserFault('The browser did not start.', { cause: error });
    }
  }

  get connected(): boolean {
    return this.chromium.connected;
  }

  /** Memory of the process and its children in bytes; 0 if unknown. */
  async memory(): Promise<number> {
    const pid = this.chromium.process()?.pid;
    if (pid === undefined || process.platform !== 'linux') return 0;
    const names = await readdir('/proc').catch(() => []);
    const parents = new Map<number, number[]>();
    await Promise.all(
      names
        .filter((name) => /^\d+$/.test(name))
        .map(async (name) => {
          const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
          // The program's name is in parentheses and may contain any characters.
          const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
          const children = parents.get(parent);
          if (children) children.push(Number(name));
          else parents.set(parent, [Number(name)]);
        }),
    );
    let bytes = 0;
    const waiting = [pid];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const statm = await readFile(`/proc/${next}/statm`, 'latin1').catch(() => '');
      const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
      bytes += (resident - shared) * MEMORY_PAGE;
      waiting.push(...(parents.get(next) ?? []));
    }
    return bytes;
  }

  /** Kills the process and its children immediately and deletes its folder. Further calls do nothing. */
  async end(): Promise<void> {
    this.ended ??= this.kill();
    return this.ended;
  }

  private async kill(): Promise<void> {
    const child = this.chromium.process();
    const gone = new Promise<void>((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
      else child.once('exit', () => resolve());
    });
    child?.kill('SIGKILL');
    await gone;
    await this.chromium.disconnect().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(
      () => undefined,
    );
  }
}
