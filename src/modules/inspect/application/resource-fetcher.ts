/**
 * Asks the address of a link or an image, and reads of the answer what it is judged by. Nothing of it is kept but that, and
 * for pictures of the message its images, in memory.
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
  MOST_IMAGE_BYTES,
  type FetchFailure,
  type FetchOutcome,
  type ImageContent,
} from '../domain/resources/fetch-outcome.js';
import { HEADER_BYTES, readImageHeader } from '../domain/resources/image-header.js';
import type { ShownImages } from './shown-images.js';

/** What a refusal says of the address; those of which it says nothing are left out. */
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
  /** Private hosts that the operator has templates link to and load from. */
  private readonly allowed: AllowedHosts;

  constructor(
    private readonly outbound: GuardedFetch,
    @Inject(RUNTIME_CONFIG) { inspectAllowHosts }: Pick<RuntimeConfig, 'inspectAllowHosts'>,
  ) {
    this.allowed = new AllowedHosts(inspectAllowHosts);
  }

  /**
   * What an address answers; null where that could not be found out: there was no turn, or the signal ended it.
   * Links are asked by HEAD, and by GET whose body is not read where HEAD is refused; images by GET.
   * @param shown takes the bytes of an image.
   */
  async ask(
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
    const request = { address, accept: IMAGES, mostBytes: MOST_IMAGE_BYTES, allowed: this.allowed };
    const keep = shown && ((image: Buffer): void => shown.keep(address, image));
    return this.outbound.fetch(owner, request, signal, (pieces, answer) =>
      answer.status < 300 ? contentOf(pieces, answer, keep) : Promise.resolve(null),
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
      return failed(error);
    }
  }
}

function failed({ reason, redirects }: OutboundError): FetchOutcome | null {
  // An address that cannot be read is known to the rules of what is written; behind a redirect it is the server's fault.
  const failure =
    FAILURES[reason] ?? (reason === 'bad_address' && redirects.length > 0 ? 'bad_answer' : undefined);
  if (failure === undefined) return null;
  const statuses = redirects.map(({ status }) => status);
  return { failure, status: null, redirects: statuses, isDowngraded: false, mediaType: null, content: null };
}

/** Some servers know no HEAD, and say so in many ways. */
function isDoubtful({ failure, status }: FetchOutcome): boolean {
  return failure === 'bad_answer' || (status !== null && status >= 400);
}

/** Reads as much as its type needs, and all of it, to the bound, where its length is not said or it is to be kept. */
async function contentOf(
  pieces: AsyncIterable<Buffer>,
  { headers }: OutboundAnswer,
  keep: ((image: Buffer) => void) | undefined,
): Promise<ImageContent> {
  const said = lengthSaid(headers);
  const isKept = keep !== undefined && (said ?? 0) <= MOST_IMAGE_BYTES;
  const beginning: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      if (isKept || bytes < HEADER_BYTES) beginning.push(piece);
      bytes += piece.length;
      if (said !== null && bytes >= HEADER_BYTES && !isKept) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError && error.reason === 'too_large')) throw error;
    bytes = MOST_IMAGE_BYTES + 1;
  }
  const all = Buffer.concat(beginning);
  const read = all.subarray(0, HEADER_BYTES);
  if (isKept && bytes <= MOST_IMAGE_BYTES) keep(all);
  return { header: readImageHeader(read), bytes: said ?? bytes, isText: looksLikeText(read) };
}

function lengthSaid(headers: Readonly<Record<string, string>>): number | null {
  const { 'content-length': length = '', 'content-encoding': coding } = headers;
  return coding === undefined && /^\d{1,12}$/.test(length) ? Number(length) : null;
}
