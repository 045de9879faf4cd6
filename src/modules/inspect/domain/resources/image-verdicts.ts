/** Judges an image by the answer of its address. Section 4.7: an image that is private or missing is critical. */
import { MAX_IMAGE_BYTES, type FetchFailure, type FetchOutcome, type ImageContent } from './fetch-outcome.js';
import type { ImageType } from './image-header.js';
import type { Verdict } from './link-verdicts.js';

const KB = 1024;
/** An image above this number of bytes loads slowly on a phone. */
const HEAVY_IMAGE_BYTES = 200 * KB;
/** The same for an animated image, which plays only once it has loaded completely. */
const HEAVY_ANIMATION_BYTES = 500 * KB;
/** The same for all images of a message together. */
const HEAVY_TOTAL_BYTES = 800 * KB;
/** Longer sides, in pixels, exceed what a message shows on any screen. */
const MAX_SIDE_PX = 2_400;
const MAX_REDIRECTS = 2;

/** The types that every email client shows. */
const SUPPORTED_TYPES: ReadonlySet<ImageType> = new Set(['png', 'jpeg', 'gif']);

export function imageVerdicts(outcome: FetchOutcome): readonly Verdict[] {
  const { failure, status, redirects } = outcome;
  if (failure !== null) return [failureVerdict(failure, redirects.length > 0)];
  if (status === null) return [];
  if (status === 404 || status === 410) return [['image_missing', `is missing (${status})`]];
  if (status >= 500) return [['image_server_error', `is on a server that returns an error (${status})`]];
  if (status >= 400) return [['image_forbidden', `is only returned to authorized clients (${status})`]];
  return [
    ...redirectVerdicts(outcome),
    ...(outcome.content ? contentVerdicts(outcome.content, outcome.mediaType) : []),
  ];
}

/** The verdict on all images of a message together; null if they are not heavy. */
export function totalVerdict(contents: readonly ImageContent[]): Verdict | null {
  const bytes = contents.reduce((sum, content) => sum + content.bytes, 0);
  if (contents.length < 2 || bytes <= HEAVY_TOTAL_BYTES) return null;
  return [
    'image_total_heavy',
    `The ${contents.length} images of the message have ${sizeOf(bytes)} in total.`,
  ];
}

function redirectVerdicts({ redirects, isDowngraded }: FetchOutcome): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  if (isDowngraded)
    verdicts.push(['image_redirect_insecure', 'is redirected to an unencrypted address (http)']);
  if (redirects.length > MAX_REDIRECTS)
    verdicts.push(['image_redirects_many', `is redirected ${redirects.length} times`]);
  return verdicts;
}

function contentVerdicts(
  { header, bytes, isText }: ImageContent,
  mediaType: string | null,
): readonly Verdict[] {
  if (bytes === 0) return [['image_unreadable', 'is empty']];
  if (!header)
    return isText || /^text\//.test(mediaType ?? '')
      ? [['image_not_an_image', `is not an image but ${mediaType ?? 'text'}`]]
      : [['image_unreadable', 'has an unknown image type']];
  const { type, width, height, isAnimated } = header;
  const verdicts: Verdict[] = [];
  if (!SUPPORTED_TYPES.has(type))
    verdicts.push([
      'image_type_unsupported',
      `has the type ${type.toUpperCase()}, which many mail programs do not show`,
    ]);
  if (mediaType !== null && !mediaType.startsWith('image/'))
    verdicts.push(['image_type_wrong', `is sent as ${mediaType}`]);
  if (isAnimated && bytes > HEAVY_ANIMATION_BYTES)
    verdicts.push(['image_animated_large', `is animated and has ${sizeOf(bytes)}`]);
  else if (bytes > MAX_IMAGE_BYTES) verdicts.push(['image_too_large', `has ${sizeOf(bytes)}`]);
  else if (bytes > HEAVY_IMAGE_BYTES) verdicts.push(['image_heavy', `has ${sizeOf(bytes)}`]);
  if (width !== null && height !== null && Math.max(width, height) > MAX_SIDE_PX)
    verdicts.push(['image_dimensions_large', `has ${width} × ${height} pixels`]);
  return verdicts;
}

function failureVerdict(failure: FetchFailure, wasRedirected: boolean): Verdict {
  switch (failure) {
    case 'refused_private':
      return wasRedirected
        ? ['image_private_redirect', 'is redirected to a private address']
        : ['image_unreachable', 'is at a private address'];
    case 'refused_port':
      return ['image_connection_failed', 'is at a port that browsers and firewalls block'];
    case 'refused_scheme':
      return ['image_connection_failed', 'is redirected to a non-web address'];
    case 'dns_failed':
      return ['image_host_unknown', 'is on a host that is not in DNS'];
    case 'connect_failed':
      return ['image_connection_failed', 'is on a host that accepts no connections'];
    case 'tls_failed':
      return ['image_tls_invalid', 'is on a host without a valid certificate'];
    case 'timeout':
      return ['image_timeout', 'did not load within 5 seconds'];
    case 'too_many_redirects':
      return ['image_redirect_loop', 'is redirected too often'];
    case 'bad_answer':
      return ['image_connection_failed', 'is on a server that does not respond like a web server'];
  }
}

function sizeOf(bytes: number): string {
  if (bytes === MAX_IMAGE_BYTES + 1) return 'more than 1 MB';
  return bytes > MAX_IMAGE_BYTES ? `${(bytes / KB / KB).toFixed(1)} MB` : `${Math.round(bytes / KB)} KB`;
}
