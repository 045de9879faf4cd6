/** Counts request rates in Redis, if it hosts the queue: the same algorithm as in PostgreSQL, as a script. */
import type { FailFastRedis } from '../../../platform/queue/fail-fast-redis.js';
import { type LeaseRequest, type LeaseGrant, SLOTS } from '../domain/leased-window.js';
import type { RateStore } from '../domain/rate-store.js';

/** A window is a hash from slot number to grants. If the clock was set back, all grants count as current. */
const TAKE = `
local now = tonumber(ARGV[1])
if now == 0 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local slots = tonumber(ARGV[2])
local answers = {}
for i, key in ipairs(KEYS) do
  local function asked(n) return tonumber(ARGV[2 + (i - 1) * 6 + n]) end
  local length, limit, need, want, back, backSlot = asked(1), asked(2), asked(3), asked(4), asked(5), asked(6)
  local slotLength = math.floor(length / slots)
  local present = math.floor(now / slotLength)
  local counts, used, mine, oldest = {}, 0, 0, present
  local kept = redis.call('HGETALL', key)
  for f = 1, #kept, 2 do
    local slot, count = tonumber(kept[f]), tonumber(kept[f + 1])
    if slot < present - slots or slot > present then
      redis.call('HDEL', key, kept[f])
      if slot < present then count = 0 end
      slot = present
    elseif slot == backSlot and back > 0 then
      count = math.max(0, count - back)
      redis.call('HSET', key, kept[f], count)
    end
    used = used + count
    if slot == present then mine = mine + count
    elseif count > 0 and slot < oldest then oldest = slot end
  end
  local room = math.max(0, limit - used)
  local ahead = room < 256 and 0 or math.min(want, math.floor(room / 16))
  local granted = math.min(room, math.max(need, ahead))
  mine = mine + granted
  redis.call('HSET', key, string.format('%.0f', present), mine)
  redis.call('PEXPIRE', key, length + 2 * slotLength)
  answers[i] = {granted, present, (present + 1) * slotLength - now, used + granted, (oldest + slots + 1) * slotLength - now}
end
return answers`;

const GRANT_NUMBERS = 5;

export class RedisRateStore implements RateStore {
  /**
   * @param prefix of its keys.
   * @param moment replaces the server's clock in tests.
   */
  constructor(
    private readonly redis: FailFastRedis,
    private readonly prefix: string,
    private readonly moment: () => Date | null = () => null,
  ) {}

  async grant(requests: readonly LeaseRequest[]): Promise<LeaseGrant[]> {
    const answers = await this.redis.run(
      TAKE,
      requests.map(({ key }) => `${this.prefix}:rates:${key}`),
      [
        this.moment()?.getTime() ?? 0,
        SLOTS,
        ...requests.flatMap(({ length, limit, required, requested, unused, unusedSlot }) => [
          length,
          limit,
          required,
          requested,
          unused,
          unusedSlot,
        ]),
      ],
    );
    return (answers as unknown[]).map(grantOf);
  }

  /** Redis expires keys by itself. */
  async sweep(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async close(): Promise<void> {
    this.redis.close();
    return Promise.resolve();
  }
}

function grantOf(answer: unknown): LeaseGrant {
  const numbers = Array.isArray(answer) ? answer.map(Number) : [];
  const [granted, slot, slotLeft, used, freesIn] = numbers;
  if (numbers.length !== GRANT_NUMBERS || numbers.some(Number.isNaN))
    throw new Error('Redis returned an unexpected response.');
  return {
    granted: granted ?? 0,
    slot: slot ?? 0,
    slotLeft: slotLeft ?? 0,
    used: used ?? 0,
    freesIn: freesIn ?? 0,
  };
}
