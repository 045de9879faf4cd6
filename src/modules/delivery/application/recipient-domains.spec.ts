import { RecipientDomains } from './recipient-domains.js';

const at = (milliseconds: number): Date => new Date(milliseconds);
const SHARES = { all: 8, own: 8 };

function ground() {
  const time = { real: 0 };
  const domains = new RecipientDomains(() => time.real);
  const enter = (domain: string, milliseconds: number, tenant = 'one', shares = SHARES) =>
    domains.admit(domain, tenant, shares, at(milliseconds));
  return { time, domains, enter };
}

describe('a domain that refuses', () => {
  test('has its mail wait, ever longer, and nobody else’s', () => {
    const { domains, enter } = ground();
    domains.recordRefusal('a.example', 'one', 'rate', at(0));
    domains.recordRefusal('a.example', 'one', 'rate', at(100));
    expect(enter('a.example', 9_999)).toEqual({ kind: 'wait', until: 10_000, reason: 'refused' });
    expect(enter('b.example', 0).kind).toBe('go');
    domains.recordRefusal('a.example', 'two', 'rate', at(10_000));
    expect(enter('a.example', 10_001)).toMatchObject({ until: 30_000 });
    let now = 30_000;
    for (let round = 0; round < 12; round++) {
      domains.recordRefusal('a.example', 'one', 'rate', at(now));
      const entry = enter('a.example', now);
      if (entry.kind === 'go') throw new Error('It may go.');
      expect(entry.until - now).toBeLessThanOrEqual(15 * 60_000);
      now = entry.until;
    }
    domains.recordRefusal('a.example', 'one', 'rate', at(now));
    expect(enter('a.example', now)).toMatchObject({ until: now + 15 * 60_000 });
  });

  test('is tried with one message, then with two, four, and as many as there are', () => {
    const { domains, enter } = ground();
    domains.recordRefusal('a.example', 'one', 'rate', at(0));
    for (const allowed of [1, 2, 4]) {
      const entries = Array.from({ length: 9 }, () => enter('a.example', 10_000));
      const going = entries.flatMap((entry) => (entry.kind === 'go' ? [entry] : []));
      expect(going).toHaveLength(allowed);
      expect(entries.at(-1)).toEqual({ kind: 'wait', until: 15_000, reason: 'refused' });
      for (const { leave } of going) leave();
      domains.recordAnswer('a.example', 'one', at(10_000), 8);
    }
    const entries = Array.from({ length: 8 }, () => enter('a.example', 10_000));
    domains.recordAnswer('a.example', 'one', at(10_000), 8);
    expect(entries.every(({ kind }) => kind === 'go')).toBe(true);
    // The count restarts then.
    domains.recordRefusal('a.example', 'one', 'rate', at(20_000));
    expect(enter('a.example', 20_000)).toMatchObject({ until: 30_000 });
  });

  test('a probe that says nothing leaves its place', () => {
    const { domains, enter } = ground();
    domains.recordRefusal('a.example', 'one', 'rate', at(0));
    const probe = enter('a.example', 10_000);
    expect(enter('a.example', 10_000).kind).toBe('wait');
    if (probe.kind === 'go') probe.leave();
    expect(enter('a.example', 10_000).kind).toBe('go');
  });

  test('450 counts once it is said three times in a row', () => {
    const { domains, enter } = ground();
    for (let round = 0; round < 3; round++) {
      for (let refusal = 0; refusal < 2; refusal++) domains.recordRefusal('a.example', 'one', 'busy', at(0));
      domains.recordAnswer('a.example', 'one', at(0), 8);
    }
    expect(enter('a.example', 0).kind).toBe('go');
    for (let refusal = 0; refusal < 3; refusal++) domains.recordRefusal('a.example', 'one', 'busy', at(0));
    expect(enter('a.example', 0).kind).toBe('wait');
  });

  test('450 holds nothing up while anything else is heard', () => {
    const { domains, enter } = ground();
    for (let refusal = 0; refusal < 3; refusal++) domains.recordRefusal('a.example', 'one', 'busy', at(0));
    // A message that was already in flight.
    domains.recordAnswer('a.example', 'one', at(1), 8);
    expect(Array.from({ length: 8 }, () => enter('a.example', 1).kind)).toEqual(Array(8).fill('go'));
    for (let refusal = 0; refusal < 2; refusal++) domains.recordRefusal('a.example', 'one', 'busy', at(2));
    expect(enter('a.example', 2).kind).toBe('go');
  });

  test('a domain that says 450 to everything is tried with sixteen messages, a minute later at most', () => {
    const { domains, enter } = ground();
    for (let refusal = 0; refusal < 3; refusal++) domains.recordRefusal('a.example', 'one', 'busy', at(0));
    let now = 10_000;
    for (let round = 0; round < 12; round++) {
      const going = Array.from({ length: 17 }, () => enter('a.example', now)).filter(
        ({ kind }) => kind === 'go',
      );
      expect(going).toHaveLength(16);
      for (const entry of going) {
        if (entry.kind === 'go') entry.leave();
        domains.recordRefusal('a.example', 'one', 'busy', at(now));
      }
      const entry = enter('a.example', now);
      if (entry.kind === 'go') throw new Error('It may go.');
      expect(entry.until - now).toBeLessThanOrEqual(60_000);
      now = entry.until;
    }
    expect(now).toBeGreaterThan(10 * 60_000);
  });

  test('a domain that takes some is not held up ever longer', () => {
    const { domains, enter } = ground();
    let now = 0;
    for (let round = 0; round < 12; round++) {
      domains.recordRefusal('a.example', 'one', 'rate', at(now));
      const entry = enter('a.example', now);
      if (entry.kind === 'go') throw new Error('It may go.');
      expect(entry.until - now).toBeLessThanOrEqual(20_000);
      now = entry.until;
      domains.recordAnswer('a.example', 'one', at(now), 8);
    }
  });

  test('what may be of single mailboxes holds up the tenant who heard it, and nobody else', () => {
    const { domains, enter } = ground();
    for (let round = 0; round < 9; round++) {
      for (let refusal = 0; refusal < 3; refusal++) domains.recordRefusal('a.example', 'one', 'busy', at(0));
      expect(enter('a.example', 0, 'one').kind).toBe('wait');
      expect(enter('a.example', 0, 'two').kind).toBe('go');
    }
    domains.recordAnswer('a.example', 'two', at(0), 8);
    expect(enter('a.example', 0, 'one').kind).toBe('wait');
  });

  test('what would be given up otherwise goes all the same', () => {
    const { domains } = ground();
    domains.recordRefusal('a.example', 'one', 'rate', at(0));
    expect(domains.admit('a.example', 'one', SHARES, at(1)).kind).toBe('wait');
    expect(domains.admit('a.example', 'one', SHARES, at(1), true).kind).toBe('go');
  });

  test('answers of messages that were under way before end no pause', () => {
    const { domains, enter } = ground();
    domains.recordRefusal('a.example', 'one', 'rate', at(0));
    for (let n = 0; n < 9; n++) domains.recordAnswer('a.example', 'one', at(1), 8);
    expect(enter('a.example', 2).kind).toBe('wait');
  });
});

describe('a domain that is slow', () => {
  test('never has all lanes; a fast one may', () => {
    const { time, enter } = ground();
    for (let n = 0; n < 8; n++) expect(enter('fast.example', 0).kind).toBe('go');
    for (let n = 0; n < 6; n++) expect(enter('a.example', 0).kind).toBe('go');
    time.real = 5_000;
    expect(enter('a.example', 7)).toEqual({ kind: 'wait', until: 5_007, reason: 'slow' });
    expect(enter('b.example', 0).kind).toBe('go');
  });

  test('nor all of a tenant’s', () => {
    const { time, enter } = ground();
    const shares = { all: 32, own: 4 };
    const entries = Array.from({ length: 3 }, () => enter('a.example', 0, 'one', shares));
    time.real = 5_000;
    expect(enter('a.example', 0, 'one', shares).kind).toBe('wait');
    expect(enter('a.example', 0, 'two', shares).kind).toBe('go');
    const [first] = entries;
    if (first?.kind === 'go') first.leave();
    expect(enter('a.example', 0, 'one', shares).kind).toBe('go');
  });
});
