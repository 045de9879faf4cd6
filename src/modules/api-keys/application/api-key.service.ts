/** Making, listing, revoking and recognising API keys, section 5. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, type FieldError, invalidFields } from '../../../kernel/domain-error.js';
import type { Slice, WantedPage } from '../../../kernel/place.js';
import { isStorableText, type JsonObject } from '../../../kernel/json.js';
import { BY_OPERATOR, type Author, type KeyScope } from '../../../kernel/principal.js';
import { type Environment, isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { equalDigests } from '../../../platform/crypto/equal-digests.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { assertWithin, highestKeyRate, type Plan } from '../../limits/domain/plan.js';
import {
  type ApiKey,
  hintOf,
  isKeyForm,
  isUsable,
  KEY_BYTES,
  type ListedApiKey,
  writeKey,
} from '../domain/api-key.js';
import { ApiKeyRepository } from '../persistence/api-key.repository.js';
import { KeyHasher } from './key-hasher.js';

export interface NewApiKey {
  readonly name: string;
  readonly scope: KeyScope;
  readonly environment: Environment;
  /** Null where the plan's limits alone hold. */
  readonly rateLimitPerMinute: number | null;
}

/** A key as it is shown once, to the one who made it. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** The key itself; it is not stored and cannot be shown again. */
  readonly raw: string;
}

/** A key that takes the place of another. */
export interface RotatedApiKey extends CreatedApiKey {
  /** The one before, with its end. */
  readonly replaced: ApiKey;
}

const LONGEST_NAME = 255;
const HOUR = 3_600_000;

@Injectable()
export class ApiKeyService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly hasher: KeyHasher,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a key.
   * @param plan of the workspace.
   * @throws DomainError plan_limit_reached; invalid_field for a bad name or a rate above the plan's maximum.
   */
  async create(scope: WorkspaceScope, plan: Plan, input: NewApiKey, author: Author): Promise<CreatedApiKey> {
    return this.store(scope, plan, input, author, (current) => assertWithin('api_keys', current, plan));
  }

  /** Makes a key as the operator orders it, whose word stands above the plan's number of keys. */
  async createByOperator(scope: WorkspaceScope, plan: Plan, input: NewApiKey): Promise<CreatedApiKey> {
    return this.store(scope, plan, input, BY_OPERATOR, () => undefined);
  }

  /** All keys of the workspace, oldest first, the revoked ones among them. */
  async list(scope: WorkspaceScope): Promise<ApiKey[]> {
    return this.keys.list(scope);
  }

  /** A page of them. */
  async page(scope: WorkspaceScope, page: WantedPage): Promise<Slice<ListedApiKey>> {
    return this.keys.page(scope, page);
  }

  /**
   * Makes a key worthless, in every process at once.
   * @throws DomainError not_found.
   */
  async revoke(scope: WorkspaceScope, id: string, author: Author): Promise<ApiKey> {
    const announce = (tx: Transaction, key: ApiKey): Promise<void> =>
      this.audit.note(tx, scope, author, {
        action: 'api_key_revoked',
        subjectId: key.id,
        before: told(key),
        after: null,
      });
    const key = isUuid(id) ? await this.keys.revoke(scope, id, this.clock.now(), announce) : undefined;
    if (!key) throw noSuchKey();
    return key;
  }

  /**
   * Makes a key that takes the place of another: of the same name, scope, environment and rate. The one before goes on for a
   * while, so that its users can change over, and does not count toward the plan's number of keys.
   * @param overlapHours 0 to 168 of real time, as credentials are checked against it.
   * @throws DomainError not_found; conflict for a key that is revoked, or has been replaced already: of one key there are two
   *   at a time at most.
   */
  async rotate(
    scope: WorkspaceScope,
    id: string,
    overlapHours: number,
    author: Author,
  ): Promise<RotatedApiKey> {
    const raws: string[] = [];
    const both = isUuid(id)
      ? await this.keys.replace(
          scope,
          id,
          (present, others) => {
            if (present.revokedAt !== null) throw new DomainError('conflict', 'The API key is revoked.');
            if (present.expiresAt !== null)
              throw new DomainError('conflict', 'The API key has already been replaced.');
            if (others.some((other) => isUsable(other, new Date())))
              throw new DomainError(
                'conflict',
                'A replaced key with this name is still valid: revoke it first.',
              );
            const { apiKey: key, raw } = this.made(scope, present);
            raws.push(raw);
            const until = new Date(Date.now() + overlapHours * HOUR);
            return { key, hash: this.hasher.hash(raw), until };
          },
          (tx, replaced, key) =>
            this.audit.note(tx, scope, author, {
              action: 'api_key_rotated',
              subjectId: replaced.id,
              before: told(replaced),
              after: { ...told(key), id: key.id, formerUntil: replaced.expiresAt?.toISOString() ?? null },
            }),
        )
      : undefined;
    const raw = raws.at(-1);
    if (!both || raw === undefined) throw noSuchKey();
    return { apiKey: both.key, raw, replaced: both.replaced };
  }

  /** Keys that count toward the plan's cap, section 8.2: neither revoked nor replaced ones. */
  async countTowardPlan(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    return this.keys.count(tx, scope);
  }

  /** Whether the workspace has a key that may be used, asked in the caller's transaction. */
  async hasUsable(tx: Transaction, scope: WorkspaceScope): Promise<boolean> {
    return this.keys.hasUsable(tx, scope);
  }

  /** The digest under which a key is known; undefined when the text is no key. */
  digestOf(raw: string): string | undefined {
    return isKeyForm(raw) ? this.hasher.hash(raw) : undefined;
  }

  /**
   * The key of a text that may be used; undefined when there is none, or it is revoked or at its end. One that is stored under an older
   * secret is stored under the present one from now on, so that the older can be given up.
   */
  async findUsable(raw: string): Promise<ApiKey | undefined> {
    const [present = '', ...older] = this.hasher.digestsOf(raw);
    for (const digest of [present, ...older]) {
      const found = await this.keys.findByHash(digest);
      if (!found || !equalDigests(found.hash, digest)) continue;
      if (!isUsable(found.key, new Date())) return undefined;
      if (digest !== present) await this.keys.rehash(found.key, digest, present);
      return found.key;
    }
    return undefined;
  }

  private async store(
    scope: WorkspaceScope,
    plan: Plan,
    input: NewApiKey,
    author: Author,
    admit: (current: number) => void,
  ): Promise<CreatedApiKey> {
    const errors = faultsOf(input, plan);
    if (errors.length > 0) throw invalidFields(errors);
    const { apiKey, raw } = this.made(scope, input);
    await this.keys.add(scope, apiKey, this.hasher.hash(raw), admit, (tx) =>
      this.audit.note(tx, scope, author, {
        action: 'api_key_created',
        subjectId: apiKey.id,
        before: null,
        after: told(apiKey),
      }),
    );
    return { apiKey, raw };
  }

  private made({ workspaceId }: WorkspaceScope, input: NewApiKey): CreatedApiKey {
    const { name, scope, environment, rateLimitPerMinute } = input;
    const now = this.clock.now();
    const raw = writeKey(environment, randomBytes(KEY_BYTES));
    const apiKey: ApiKey = {
      id: uuidv7(now.getTime()),
      workspaceId,
      name,
      scope,
      environment,
      rateLimitPerMinute,
      hint: hintOf(raw),
      revokedAt: null,
      expiresAt: null,
      createdAt: now,
    };
    return { apiKey, raw };
  }
}

function noSuchKey(): DomainError {
  return new DomainError('not_found', 'No such API key exists.');
}

/** What the log of changes says of a key. */
function told({ name, scope, environment, hint, rateLimitPerMinute }: ApiKey): JsonObject {
  return { name, scope, environment, hint, rateLimitPerMinute };
}

function faultsOf({ name, rateLimitPerMinute: rate }: NewApiKey, plan: Plan): FieldError[] {
  const errors: FieldError[] = [];
  if (name.trim() === '' || name.length > LONGEST_NAME || !isStorableText(name))
    errors.push({ field: 'name', message: `must have 1 to ${LONGEST_NAME} characters` });
  const highest = highestKeyRate(plan);
  if (rate !== null && !(Number.isInteger(rate) && rate >= 1 && rate <= highest))
    errors.push({
      field: 'rate_limit_per_minute',
      message: Number.isFinite(highest)
        ? `must be an integer from 1 to ${highest}, the maximum of the ${plan.name} plan`
        : 'must be an integer of at least 1',
    });
  return errors;
}
