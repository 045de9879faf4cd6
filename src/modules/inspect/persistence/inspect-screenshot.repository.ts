/** Stores the screenshots of runs; they are deleted with their run. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { StoredScreenshot, Screenshot } from '../domain/runs/screenshot.js';

@Injectable()
export class InspectScreenshotRepository {
  /** Stores the screenshots of a run, replacing those of an earlier attempt. */
  async replace(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    jobId: string,
    screenshots: readonly (Screenshot & { readonly id: string })[],
    now: Date,
  ): Promise<void> {
    await tx.execute('DELETE FROM inspect_screenshots WHERE workspace_id = $1 AND job_id = $2', [
      workspaceId,
      jobId,
    ]);
    for (const { id, client, scheme, device, width, height, mediaType, image } of screenshots)
      await tx.execute(
        `INSERT INTO inspect_screenshots (workspace_id, id, job_id, client, scheme, device, width, height, media_type, image, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [workspaceId, id, jobId, client, scheme, device, width, height, mediaType, Buffer.from(image), now],
      );
  }

  /** The screenshots of a run without their bytes. */
  async ofJob(tx: Transaction, { workspaceId }: WorkspaceScope, jobId: string): Promise<StoredScreenshot[]> {
    return tx.query<StoredScreenshot & Record<string, unknown>>(
      `SELECT id, client, scheme, device, width, height FROM inspect_screenshots
       WHERE workspace_id = $1 AND job_id = $2 ORDER BY id`,
      [workspaceId, jobId],
    );
  }

  /** Deletes all screenshots of the oldest runs, run by run, until the rest has at most this number of bytes. */
  async trim(tx: Transaction, { workspaceId }: WorkspaceScope, maxBytes: number): Promise<void> {
    await tx.execute(
      `DELETE FROM inspect_screenshots WHERE workspace_id = $1 AND job_id IN (
         SELECT job_id FROM (
           SELECT job_id, sum(sum(octet_length(image))) OVER (ORDER BY max(created_at) DESC, job_id DESC) AS bytes
           FROM inspect_screenshots WHERE workspace_id = $1 GROUP BY job_id) AS run
         WHERE bytes > $2)`,
      [workspaceId, maxBytes],
    );
  }

  /** Deletes the screenshots of runs. */
  async removeOf(tx: Transaction, { workspaceId }: WorkspaceScope, jobIds: readonly string[]): Promise<void> {
    if (jobIds.length === 0) return;
    await tx.execute(
      'DELETE FROM inspect_screenshots WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])',
      [workspaceId, jobIds],
    );
  }

  /** The bytes of a screenshot; undefined if there is none. */
  async image(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
  ): Promise<Pick<Screenshot, 'mediaType' | 'image'> | undefined> {
    const [row] = await tx.query<{ media_type: string; image: Buffer }>(
      'SELECT media_type, image FROM inspect_screenshots WHERE workspace_id = $1 AND id = $2',
      [workspaceId, id],
    );
    return row && { mediaType: row.media_type, image: row.image };
  }
}
