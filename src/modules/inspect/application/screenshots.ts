/**
 * The screenshots of runs: stores them, lists them with links that are valid for an hour, and serves them to the holder
 * of a link (section 4.7).
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import {
  sortedScreenshots,
  MAX_STORED_BYTES,
  MAX_SCREENSHOT_BYTES,
  MAX_SCREENSHOTS,
  type StoredScreenshot,
  type Screenshot,
} from '../domain/runs/screenshot.js';
import { readScreenshot, signScreenshot } from '../domain/runs/screenshot-token.js';
import { InspectScreenshotRepository } from '../persistence/inspect-screenshot.repository.js';

/** The path of screenshots below the service's base address. */
const SCREENSHOTS_PATH = '/v1/inspect/screenshots';

/** A screenshot as the API shows it in a run; `url` is valid for an hour. */
export type LinkedScreenshot = Omit<StoredScreenshot, 'id'> & { readonly url: string };

@Injectable()
export class Screenshots {
  /** The first key signs. */
  private readonly keys: readonly Buffer[];

  constructor(
    private readonly database: Database,
    private readonly repository: InspectScreenshotRepository,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {
    this.keys = config.tokenSecrets.map((secret) => deriveKey(secret, 'inspect-screenshots'));
  }

  /**
   * Stores the screenshots of a run, replacing those of an earlier attempt. If a workspace has too many, those of its
   * oldest runs are deleted.
   */
  async store(
    tx: Transaction,
    scope: WorkspaceScope,
    jobId: string,
    screenshots: readonly Screenshot[],
  ): Promise<void> {
    const now = this.clock.now();
    const accepted = screenshots
      .filter(({ image }) => image.length <= MAX_SCREENSHOT_BYTES)
      .slice(0, MAX_SCREENSHOTS)
      .map((screenshot) => ({ ...screenshot, id: uuidv7(now.getTime()) }));
    await this.repository.replace(tx, scope, jobId, accepted, now);
    if (accepted.length > 0) await this.repository.trim(tx, scope, MAX_STORED_BYTES);
  }

  /** The screenshots of a run, with links. */
  async ofJob(scope: WorkspaceScope, jobId: string): Promise<LinkedScreenshot[]> {
    const [key] = this.keys;
    if (!key) throw new TypeError('No key is configured for screenshots.');
    const found = await this.database.inScope(scope, (tx) => this.repository.ofJob(tx, scope, jobId));
    const { workspaceId } = scope;
    return sortedScreenshots(found).map(({ id, ...shown }) => {
      const token = signScreenshot({ workspaceId, screenshotId: id }, key, Date.now());
      return { ...shown, url: `${this.config.baseUrl}${SCREENSHOTS_PATH}/${token}` };
    });
  }

  /**
   * A screenshot with its type, for the holder of a link.
   * @throws DomainError screenshot_not_found when the link is invalid or expired, or the screenshot is deleted.
   */
  async find(token: string): Promise<Pick<Screenshot, 'mediaType' | 'image'>> {
    const claim = readScreenshot(token, this.keys, Date.now());
    const image =
      claim &&
      (await this.database.inScope({ workspaceId: claim.workspaceId }, (tx) =>
        this.repository.image(tx, claim, claim.screenshotId),
      ));
    if (!image)
      throw new DomainError(
        'screenshot_not_found',
        'The link is invalid or has expired: retrieve the run again for a new one.',
      );
    return image;
  }
}
