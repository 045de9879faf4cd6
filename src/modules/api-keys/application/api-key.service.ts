/** Creates, lists, revokes and authenticates API keys, section 5. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, type FieldError, invalidFields } from '../../../kernel/domain-error.js';
import type { Slice, PageRequest } from '../../../kernel/page-cursor.js';
import { isStorableText, type JsonObject } from '../../../kernel/json.js';
import { OPERATOR_AUTHOR, type Author, type KeyScope } from '../../../kernel/principal.js';
import { type Environment, isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { equalDigests } from '../../../platform/crypto/equal-digests.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import { assertWithin, highestKeyRate, type Plan } from '../../limits/domain/plan.js';
import {
  type ApiKey,
  hintOf,
  hasKeyFormat,
  isUsable,
  KEY_BYTES,
  type ListedApiKey,
  formatKey,
} from '../domain/api-key.js';
import { ApiKeyRepository } from '../persistence/api-key.repository.js';
import { KeyHasher } from './key-hasher.js';

export interface NewApiKey {
  readonly name: string;
  readonly scope: KeyScope;
  readonly environment: Environment;
  /** Null if only the plan's limits apply. */
  readonly rateLimitPerMinute: number | null;
}

/** A new key with its secret, which is shown once to its creator. */
export interface CreatedApiKey {
  readonly apiKey: ApiKey;
  /** The key itself. It is not stored and cannot be shown again. */
  readonly raw: string;
}

/** A key that replaces another. */
export interface RotatedApiKey extends CreatedApiKey {
  /** The replaced key, with its expiry. */
  readonly replaced: ApiKey;
}

const MAX_NAME_LENGTH = 255;
const HOUR_MS = 3_600_000;

@Injectable()
export class ApiKeyService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly hasher: KeyHasher,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a key.
   * @param plan the workspace's plan.
   * @throws DomainError plan_limit_reached; invalid_field for an invalid name or a rate above the plan's maximum.
   */
  async create(scope: WorkspaceScope, plan: Plan, input: NewApiKey, author: Author): Promise<CreatedApiKey> {
    return this.store(scope, plan, input, author, (current) => assertWithin('api_keys', current, plan));
  }

  /** Creates a key for the operator, regardless of the plan's number of keys. */
  async createByOperator(scope: WorkspaceScope, plan: Plan, input: NewApiKey): Promise<CreatedApiKey> {
    return this.store(scope, plan, input, OPERATOR_AUTHOR, () => undefined);
  }

  /** All keys of the workspace, oldest first, including revoked ones. */
  async list(scope: WorkspaceScope): Promise<ApiKey[]> {
    return this.keys.list(scope);
  }

  /** A page of the workspace's keys. */
  async page(scope: WorkspaceScope, page: PageRequest): Promise<Slice<ListedApiKey>> {
    return this.keys.page(scope, page);
  }

  /**
   * Revokes a key, effective immediately in every process.
   * @throws DomainError not_found.
   */
  async revoke(scope: WorkspaceScope, id: string, author: Author): Promise<ApiKey> {
    const announce = (tx: Transaction, key: ApiKey): Promise<void> =>
      this.audit.record(tx, scope, author, {
        action: 'api_key_revoked',
        subjectId: key.id,
        before: auditedFields(key),
        after: null,
      });
    const key = isUuid(id) ? await this.keys.revoke(scope, id, this.clock.now(), announce) : undefined;
    if (!key) throw noSuchKey();
    return key;
  }

  /**
   * Creates a key that replaces another, with the same name, scope, environment and rate. The old key remains valid for
   * a while, so that its users can switch, and does not count toward the plan's number of keys.
   * @param overlapHours 0 to 168 hours of real time, because credentials are checked against real time.
   * @throws DomainError not_found; conflict if the key is revoked or already replaced: at most two versions of a key
   *   are valid.
   */
  async rotate(
    scope: WorkspaceScope,
    id: string,
    overlapHours: number,
    author: Author,
  ): Promise<RotatedApiKey> {
    const rawKeys: string[] = [];
    const rotated = isUuid(id)
      ? await this.keys.replace(
          scope,
          id,
          (replaceable, others) => {
            if (replaceable.revokedAt !== null) throw new DomainError('conflict', 'The API key is revoked.');
            if (replaceable.expiresAt !== null)
              throw new DomainError('conflict', 'The API key has already been replaced.');
            if (others.some((other) => isUsable(other, new Date())))
              throw new DomainError(
                'conflict',
                'A replaced key with this name is still valid: revoke it first.',
              );
            const { apiKey: key, raw } = this.generate(scope, replaceable);
            rawKeys.push(raw);
            const until = new Date(Date.now() + overlapHours * HOUR_MS);
            return { key, hash: this.hasher.hash(raw), until };
          },
          (tx, replaced, key) =>
            this.audit.record(tx, scope, author, {
              action: 'api_key_rotated',
              subjectId: replaced.id,
              before: auditedFields(replaced),
              after: {
                ...auditedFields(key),
                id: key.id,
                formerUntil: replaced.expiresAt?.toISOString() ?? null,
              },
            }),
        )
      : undefined;
    const raw = rawKeys.at(-1);
    if (!rotated || raw === undefined) throw noSuchKey();
    return { apiKey: rotated.key, raw, replaced: rotated.replaced };
  }

  /** The number of keys that count toward the plan's cap, section 8.2: neither revoked nor replaced. */
  async countTowardPlan(tx: Transaction, scope: WorkspaceScope): Promise<number> {
    return this.keys.count(tx, scope);
  }

  /** Whether the workspace has a valid key, in the caller's transaction. */
  async hasUsable(tx: Transaction, scope: WorkspaceScope): Promise<boolean> {
    return this.keys.hasUsable(tx, scope);
  }

  /** The digest of a key; undefined if the text is not a key. */
  digestOf(raw: string): string | undefined {
    return hasKeyFormat(raw) ? this.hasher.hash(raw) : undefined;
  }

  /**
   * The valid key for a text; undefined if there is none, or it is revoked or expired. A key stored under an older
   * secret is stored under the current one, so that the older secret can be retired.
   */
  async findUsable(raw: string): Promise<ApiKey | undefined> {
    const [currentDigest = '', ...older] = this.hasher.digestsOf(raw);
    for (const digest of [currentDigest, ...older]) {
      const found = await this.keys.findByHash(digest);
      if (!found || !equalDigests(found.hash, digest)) continue;
      if (!isUsable(found.key, new Date())) return undefined;
      if (digest !== currentDigest) await this.keys.rehash(found.key, digest, currentDigest);
      return found.key;
    }
    return undefined;
  }

  private async store(
    scope: WorkspaceScope,
    plan: Plan,
    input: NewApiKey,
    author: Author,
    checkCount: (current: number) => void,
  ): Promise<CreatedApiKey> {
    const errors = errorsOf(input, plan);
    if (errors.length > 0) throw invalidFields(errors);
    const { apiKey, raw } = this.generate(scope, input);
    await this.keys.add(scope, apiKey, this.hasher.hash(raw), checkCount, (tx) =>
      this.audit.record(tx, scope, author, {
        action: 'api_key_created',
        subjectId: apiKey.id,
        before: null,
        after: auditedFields(apiKey),
      }),
    );
    return { apiKey, raw };
  }

  private generate({ workspaceId }: WorkspaceScope, input: NewApiKey): CreatedApiKey {
    const { name, scope, environment, rateLimitPerMinute } = input;
    const now = this.clock.now();
    const raw = formatKey(environment, randomBytes(KEY_BYTES));
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

/** The attributes of a key that the audit log records. */
function auditedFields({ name, scope, environment, hint, rateLimitPerMinute }: ApiKey): JsonObject {
  return { name, scope, environment, hint, rateLimitPerMinute };
}

function errorsOf({ name, rateLimitPerMinute: rate }: NewApiKey, plan: Plan): FieldError[] {
  const errors: FieldError[] = [];
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH || !isStorableText(name))
    errors.push({ field: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters` });
  const maxRate = highestKeyRate(plan);
  if (rate !== null && !(Number.isInteger(rate) && rate >= 1 && rate <= maxRate))
    errors.push({
      field: 'rate_limit_per_minute',
      message: Number.isFinite(maxRate)
        ? `must be an integer from 1 to ${maxRate}, the maximum of the ${plan.name} plan`
        : 'must be an integer of at least 1',
    });
  return errors;
}
