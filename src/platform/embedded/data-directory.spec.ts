/** DATA_DIR: secrets are generated once and kept, only a living process holds its lock, and errors are one line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config/config.js';
import { DataDirectory } from './data-directory.js';
import { processIdentity } from './process-identity.js';

let base: string;
beforeEach(() => (base = mkdtempSync(join(tmpdir(), 'waypost-data-'))));
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('secrets', () => {
  test('are made once, kept from other users, and have their shapes', () => {
    const path = join(base, 'deep', 'data');
    const secrets = DataDirectory.open(path).secrets();
    expect(secrets.tokenSecret.length).toBeGreaterThanOrEqual(32);
    expect(secrets.encryptionKey).toMatch(/^[0-9a-f]{64}$/);
    expect(DataDirectory.open(path).secrets()).toEqual(secrets);
    expect(statSync(join(path, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(path)).toEqual(['secrets.json']);
  });

  test('of API keys are in a file of their own, made once', () => {
    const secret = DataDirectory.open(base).apiKeySecret();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(DataDirectory.open(base).apiKeySecret()).toBe(secret);
    expect(statSync(join(base, 'api-key-secret.json')).mode & 0o777).toBe(0o600);
  });

  test.each(['', '{', 'null', '{}'])('damaged ones of API keys (%j) are told', (content) => {
    writeFileSync(join(base, 'api-key-secret.json'), content);
    expect(() => DataDirectory.open(base).apiKeySecret()).toThrow(
      /^DATA_DIR .* api-key-secret\.json is damaged/,
    );
  });

  test.each(['', '{', 'null', '{"tokenSecret":"x"}'])(
    'damaged ones (%j) are told, never replaced',
    (content) => {
      writeFileSync(join(base, 'secrets.json'), content);
      expect(() => DataDirectory.open(base).secrets()).toThrow(/^DATA_DIR .* secrets\.json is damaged/);
    },
  );

  test('missing beside a database are told, since new ones would not open it', () => {
    mkdirSync(join(base, 'postgres'));
    expect(() => DataDirectory.open(base).secrets()).toThrow(/^DATA_DIR .*secrets\.json.* is missing/);
  });
});

describe('the directory', () => {
  test('that cannot be made is the one line of a ConfigError', () => {
    writeFileSync(join(base, 'file'), '');
    expect(() => DataDirectory.open(join(base, 'file'))).toThrow(ConfigError);
    expect(() => DataDirectory.open(join(base, 'file', 'x'))).toThrow(/^DATA_DIR "[^\n]*ENOTDIR[^\n]*$/);
  });

  test('is claimed by one at a time', async () => {
    const directory = DataDirectory.open(base);
    const claim = await directory.claim('start');
    await expect(directory.claim('start')).rejects.toThrow(
      new RegExp(`^DATA_DIR .* is in use by process ${process.pid}:`),
    );
    const waiting = directory.claim('start', 60_000);
    claim.release();
    const second = await waiting;
    claim.release();
    await expect(directory.claim('start')).rejects.toBeInstanceOf(ConfigError);
    second.release();
    expect(readdirSync(base)).toEqual([]);
  });

  test.each([
    ['of a dead process', () => JSON.stringify({ pid: 2 ** 22 - 1, mark: 'x' })],
    ['whose number another process has now', () => JSON.stringify({ pid: process.pid, mark: 'earlier' })],
    ['cut short by a full disk', () => '{"pid":'],
    ['without content', () => ''],
  ])('a lock %s blocks nobody', async (_, content) => {
    writeFileSync(join(base, 'start.lock'), content());
    (await DataDirectory.open(base).claim('start')).release();
    expect(readdirSync(base)).toEqual([]);
  });

  test('a lock of a living process counts', async () => {
    const other = spawn('sleep', ['60']);
    await once(other, 'spawn');
    const pid = other.pid ?? 0;
    writeFileSync(join(base, 'start.lock'), JSON.stringify({ pid, mark: processIdentity(pid) }));
    await expect(DataDirectory.open(base).claim('start')).rejects.toThrow(`process ${pid}:`);
    other.kill('SIGKILL');
    await once(other, 'exit');
    (await DataDirectory.open(base).claim('start')).release();
  });

  test('of many that ask at once, one has the stale lock', async () => {
    writeFileSync(join(base, 'start.lock'), '{}');
    const directory = DataDirectory.open(base);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => directory.claim('start')));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
