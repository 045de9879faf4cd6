/** Where a job's records come from: the one place that knows which platform is read by what. */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { SourceFailure, type CredentialProblem, type ImportSource } from '../domain/import-source.js';
import type { Credentials, Platform } from '../domain/platform.js';
import { braze } from '../domain/platforms/braze.js';
import { customerio } from '../domain/platforms/customerio.js';
import { fileSource } from '../domain/platforms/file.js';
import { intercom } from '../domain/platforms/intercom.js';
import { klaviyo } from '../domain/platforms/klaviyo.js';
import { mailchimp } from '../domain/platforms/mailchimp.js';
import { onesignal } from '../domain/platforms/onesignal.js';
import { ImportFiles } from './import-files.js';

const SOURCES: Readonly<Record<Exclude<Platform, 'file'>, ImportSource>> = {
  customerio,
  braze,
  klaviyo,
  mailchimp,
  onesignal,
  intercom,
};

/** A job as far as its source needs it. */
export interface SourcedJob {
  readonly platform: Platform;
  /** Of an upload. */
  readonly fileId: string | null;
}

@Injectable()
export class Sources {
  constructor(private readonly files: ImportFiles) {}

  /**
   * What a job reads.
   * @throws SourceFailure source_not_found for a file that is gone.
   */
  async of(scope: TenantScope, { platform, fileId }: SourcedJob): Promise<ImportSource> {
    if (platform !== 'file') return SOURCES[platform];
    try {
      return fileSource(await this.files.find(scope, fileId ?? ''));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'file_not_found')
        throw new SourceFailure('source_not_found', 'The file no longer exists.');
      throw error;
    }
  }

  /** What is wrong with the texts of credentials that cannot be right, before anything is asked; null where nothing is. */
  problemOf(platform: Platform, credentials: Credentials): CredentialProblem | null {
    return platform === 'file' ? null : SOURCES[platform].problemOf(credentials);
  }
}
