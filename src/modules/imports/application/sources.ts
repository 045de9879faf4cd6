/** Where a job's records come from: the one place that knows which platform is read by what. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { SourceFailure, type ImportSource } from '../domain/import-source.js';
import type { Credentials, Platform } from '../domain/platform.js';
import { braze } from '../domain/platforms/braze.js';
import { customerio } from '../domain/platforms/customerio.js';
import { intercom } from '../domain/platforms/intercom.js';
import { klaviyo } from '../domain/platforms/klaviyo.js';
import { mailchimp } from '../domain/platforms/mailchimp.js';
import { onesignal } from '../domain/platforms/onesignal.js';

const SOURCES: Readonly<Record<Exclude<Platform, 'file'>, ImportSource>> = {
  braze,
  customerio,
  intercom,
  klaviyo,
  mailchimp,
  onesignal,
};

/** A job as far as its source needs it. */
export interface SourcedJob {
  readonly platform: Platform;
  /** Of an upload. */
  readonly fileId: string | null;
}

@Injectable()
export class Sources {
  /**
   * What a job reads.
   * @throws SourceFailure source_not_found for a file that is gone.
   */
  of(_scope: TenantScope, { platform }: SourcedJob): Promise<ImportSource> {
    const source = SOURCES[platform];
    if (!source) throw new SourceFailure('source_not_found', 'There is nothing to read from.');
    return Promise.resolve(source);
  }

  /** What is wrong with credentials that cannot be right, before anything is asked; null where nothing is. */
  problemOf(platform: Platform, credentials: Credentials): string | null {
    return SOURCES[platform]?.problemOf(credentials) ?? null;
  }
}
