/** Creates the source of a job's records. Only this file knows which platform is read by which source. */
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

/** The fields of a job that its source needs. */
export interface SourcedJob {
  readonly platform: Platform;
  /** Of an upload. */
  readonly fileId: string | null;
}

@Injectable()
export class Sources {
  constructor(private readonly files: ImportFiles) {}

  /**
   * The source of a job.
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

  /**
   * What is wrong with credentials that are invalid by their form, checked before any request; null if nothing is.
   */
  problemOf(platform: Platform, credentials: Credentials): CredentialProblem | null {
    return platform === 'file' ? null : SOURCES[platform].problemOf(credentials);
  }
}
