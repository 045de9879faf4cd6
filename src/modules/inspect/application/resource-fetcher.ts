/**
 * Requests the address of a link or an image, and extracts the facts by which it is judged. Nothing else of the answer
 * is kept, except images for screenshots, in memory.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { AllowedHosts } from '../../../platform/outbound/allowed-hosts.js';
import { GuardedFetch, type OutboundAnswer } from '../../../platform/outbound/guarded-fetch.js';
import { OutboundError, type OutboundReason } from '../../../platform/outbound/outbound-error.js';
import type { Resource } from '../domain/analysis/analysis.js';
import {
  looksLikeText,
  mediaTypeOf,
  MAX_IMAGE_BYTES,
  type FetchFailure,
  type FetchOutcome,
  type ImageContent,
} from '../domain/resources/fetch-outcome.js';
import { HEADER_BYTES, readImageHeader } from '../domain/resources/image-header.js';
import type { ShownImages } from './shown-images.js';

/** What a refused request says about the address; reasons that say nothing about it are left out. */
const FAILURES: Readonly<Partial<Record<OutboundReason, FetchFailure>>> = {
  refused_private: 'refused_private',
  refused_port: 'refused_port',
  refused_scheme: 'refused_scheme',
  dns_failed: 'dns_failed',
  connect_failed: 'connect_failed',
  tls_failed: 'tls_failed',
  timeout: 'timeout',
  too_many_redirects: 'too_many_redirects',
  bad_answer: 'bad_answer',
};

const IMAGES = 'image/png,image/jpeg,image/gif,image/*;q=0.8,*/*;q=0.5';
const PAGES = 'text/html,application/xhtml+xml,*/*;q=0.8';

@Injectable()
export class ResourceFetcher {
  /** Private hosts that the operator allows templates to link to and load from. */
  private readonly allowed: AllowedHosts;

  constructor(
    private readonly outbound: GuardedFetch,
    @Inject(RUNTIME_CONFIG) { inspectAllowHosts }: Pick<RuntimeConfig, 'inspectAllowHosts'>,
  ) {
    this.allowed = new AllowedHosts(inspectAllowHosts);
  }

  /**
   * The answer of an address; null if it could not be determined, because there was no permit or the signal aborted the
   * request. Links are requested by HEAD, and if that is refused by GET without reading the body; images by GET.
   * @param shown receives the bytes of an image.
   */
  async fetch(
    scope: WorkspaceScope,
    { kind, address }: Pick<Resource, 'kind' | 'address'>,
    signal: AbortSignal,
    shown?: ShownImages,
  ): Promise<FetchOutcome | null> {
    const owner = scope.workspaceId;
    if (kind === 'image') return this.outcome(() => this.image(owner, address, signal, shown));
    const head = await this.outcome(() => this.link(owner, address, 'HEAD', signal));
    if (!head || !isDoubtful(head)) return head;
    return this.outcome(() => this.link(owner, address, 'GET', signal));
  }

  private link(
    owner: string,
    address: string,
    method: 'HEAD' | 'GET',
    signal: AbortSignal,
  ): Promise<OutboundAnswer & { readonly body: null }> {
    const request = { address, method, accept: PAGES, allowed: this.allowed };
    return this.outbound.fetch(owner, request, signal, async () => null);
  }

  private image(
    owner: string,
    address: string,
    signal: AbortSignal,
    shown: ShownImages | undefined,
  ): Promise<OutboundAnswer & { readonly body: ImageContent | null }> {
    const request = { address, accept: IMAGES, mostBytes: MAX_IMAGE_BYTES, allowed: this.allowed };
    const onImage = shown && ((image: Buffer): void => shown.add(address, image));
    return this.outbound.fetch(owner, request, signal, (pieces, answer) =>
      answer.status < 300 ? contentOf(pieces, answer, onImage) : Promise.resolve(null),
    );
  }

  private async outcome(
    fetch: () => Promise<OutboundAnswer & { readonly body: ImageContent | null }>,
  ): Promise<FetchOutcome | null> {
    try {
      const { status, headers, redirects, body } = await fetch();
      return {
        failure: null,
        status,
        redirects: redirects.map((redirect) => redirect.status),
        isDowngraded: redirects.some(({ from, to }) => from.startsWith('https:') && to.startsWith('http:')),
        mediaType: mediaTypeOf(headers['content-type']),
        content: body,
      };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return failedOutcome(error);
    }
  }
}

function failedOutcome({ reason, redirects }: OutboundError): FetchOutcome | null {
  // A malformed address in the message is found by other rules; in a redirect it is the server's fault.
  const failure =
    FAILURES[reason] ?? (reason === 'bad_address' && redirects.length > 0 ? 'bad_answer' : undefined);
  if (failure === undefined) return null;
  const statuses = redirects.map(({ status }) => status);
  return { failure, status: null, redirects: statuses, isDowngraded: false, mediaType: null, content: null };
}

/** Some servers do not support HEAD, and say so in many ways. */
function isDoubtful({ failure, status }: FetchOutcome): boolean {
  return failure === 'bad_answer' || (status !== null && status >= 400);
}

/**
 * Reads as many bytes as the type needs. If the length is unknown or the content is to be kept, reads all of it, up to
 * the limit.
 */
async function contentOf(
  pieces: AsyncIterable<Buffer>,
  { headers }: OutboundAnswer,
  onImage: ((image: Buffer) => void) | undefined,
): Promise<ImageContent> {
  const declaredLength = declaredLengthOf(headers);
  const readsAll = onImage !== undefined && (declaredLength ?? 0) <= MAX_IMAGE_BYTES;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      if (readsAll || bytes < HEADER_BYTES) chunks.push(piece);
      bytes += piece.length;
      if (declaredLength !== null && bytes >= HEADER_BYTES && !readsAll) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError && error.reason === 'too_large')) throw error;
    bytes = MAX_IMAGE_BYTES + 1;
  }
  const all = Buffer.concat(chunks);
  const read = all.subarray(0, HEADER_BYTES);
  if (readsAll && bytes <= MAX_IMAGE_BYTES) onImage(all);
  return { header: readImageHeader(read), bytes: declaredLength ?? bytes, isText: looksLikeText(read) };
}

function declaredLengthOf(headers: Readonly<Record<string, string>>): number | null {
  const { 'content-length': length = '', 'content-encoding': coding } = headers;
  return coding === undefined && /^\d{1,12}$/.test(length) ? Number(length) : null;
}
