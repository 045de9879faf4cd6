/** Judges a link by the answer of its address. Section 4.7: a link that is private or missing is critical. */
import type { FetchFailure, FetchOutcome } from './fetch-outcome.js';
import type { RuleName } from '../rules/catalogue.js';

/** A rule, and what it says of the element: “The link … ⟨what⟩.” */
export type Verdict = readonly [rule: RuleName, what: string];

/** Maximum number of redirects that an address needs when it first passes a click counter. */
const MAX_REDIRECTS = 2;
/** Statuses with which sites reject bots but not people. */
const BOT_REJECTION_STATUSES = new Set([401, 403, 407, 429, 451, 999]);
/** Media types of programs. */
const PROGRAMS =
  /^application\/(x-(ms-?dos-program|msdownload|msi|sh|dosexec|executable)|vnd\.(android\.package-archive|microsoft\.portable-executable)|java-archive)$/;

export function linkVerdicts(outcome: FetchOutcome): readonly Verdict[] {
  const { failure, status, redirects } = outcome;
  if (failure !== null) return [failureVerdict(failure, redirects.length > 0)];
  if (status === null) return [];
  if (status === 404 || status === 410)
    return [['link_missing', `leads to a page that is missing (${status})`]];
  if (BOT_REJECTION_STATUSES.has(status))
    return [['link_forbidden', `could not be checked: its server denied access (${status})`]];
  if (status >= 500) return [['link_server_error', `leads to a server that returns an error (${status})`]];
  if (status >= 400) return [['link_client_error', `is rejected by its server (${status})`]];
  return answerVerdicts(outcome);
}

function answerVerdicts({ redirects, isDowngraded, mediaType }: FetchOutcome): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  if (isDowngraded) verdicts.push(['link_redirect_insecure', 'redirects to an unencrypted address (http)']);
  if (redirects.length > MAX_REDIRECTS)
    verdicts.push(['link_redirects_many', `is redirected ${redirects.length} times`]);
  else if (redirects[0] === 301 || redirects[0] === 308)
    verdicts.push(['link_permanent_redirect', `has moved permanently (${redirects[0]})`]);
  if (mediaType !== null && PROGRAMS.test(mediaType))
    verdicts.push(['link_program', `leads to an executable file (${mediaType})`]);
  return verdicts;
}

function failureVerdict(failure: FetchFailure, wasRedirected: boolean): Verdict {
  switch (failure) {
    case 'refused_private':
      return wasRedirected
        ? ['link_private_redirect', 'is redirected to a private address']
        : ['link_private', 'leads to a private address'];
    case 'refused_port':
      return ['link_port_blocked', 'leads to a port that browsers and firewalls block'];
    case 'refused_scheme':
      return ['link_redirect_scheme', 'is redirected to a non-web address'];
    case 'dns_failed':
      return ['link_host_unknown', 'leads to a host that is not in DNS'];
    case 'connect_failed':
      return ['link_unreachable', 'leads to a host that accepts no connections'];
    case 'tls_failed':
      return ['link_tls_invalid', 'leads to a host without a valid certificate'];
    case 'timeout':
      return ['link_timeout', 'did not respond within 5 seconds'];
    case 'too_many_redirects':
      return ['link_redirect_loop', 'is redirected too often'];
    case 'bad_answer':
      return ['link_unreachable', 'leads to a server that does not respond like a web server'];
  }
}
