/** What is found of a link by what its address answered. Section 4.7: a link that is private or missing is critical. */
import type { FetchFailure, FetchOutcome } from './fetch-outcome.js';
import type { RuleName } from '../rules/catalogue.js';

/** A rule, and what it says of the element: “The link … ⟨what⟩.” */
export type Verdict = readonly [rule: RuleName, what: string];

/** More redirects than an address behind a counter of clicks needs. */
const FEW_REDIRECTS = 2;
/** Statuses by which sites keep machines out while people come in. */
const KEPT_OUT = new Set([401, 403, 407, 429, 451, 999]);
/** Types of what runs where it is opened. */
const PROGRAMS =
  /^application\/(x-(ms-?dos-program|msdownload|msi|sh|dosexec|executable)|vnd\.(android\.package-archive|microsoft\.portable-executable)|java-archive)$/;

export function linkVerdicts(outcome: FetchOutcome): readonly Verdict[] {
  const { failure, status, redirects } = outcome;
  if (failure !== null) return [ofFailure(failure, redirects.length > 0)];
  if (status === null) return [];
  if (status === 404 || status === 410)
    return [['link_missing', `leads to a page that is missing (${status})`]];
  if (KEPT_OUT.has(status))
    return [['link_forbidden', `could not be looked at: its server turned us away (${status})`]];
  if (status >= 500) return [['link_server_error', `leads to a server in trouble (${status})`]];
  if (status >= 400) return [['link_client_error', `is refused by its server (${status})`]];
  return ofAnswer(outcome);
}

function ofAnswer({ redirects, isDowngraded, mediaType }: FetchOutcome): readonly Verdict[] {
  const verdicts: Verdict[] = [];
  if (isDowngraded)
    verdicts.push(['link_redirect_insecure', 'leads on to an address that is not encrypted (http)']);
  if (redirects.length > FEW_REDIRECTS)
    verdicts.push(['link_redirects_many', `is redirected ${redirects.length} times`]);
  else if (redirects[0] === 301 || redirects[0] === 308)
    verdicts.push(['link_permanent_redirect', `has moved for good (${redirects[0]})`]);
  if (mediaType !== null && PROGRAMS.test(mediaType))
    verdicts.push(['link_program', `leads to a program (${mediaType})`]);
  return verdicts;
}

function ofFailure(failure: FetchFailure, wasRedirected: boolean): Verdict {
  switch (failure) {
    case 'refused_private':
      return wasRedirected
        ? ['link_private_redirect', 'is redirected to a private address']
        : ['link_private', 'leads to a private address'];
    case 'refused_port':
      return ['link_port_blocked', 'leads to a port that browsers and firewalls block'];
    case 'refused_scheme':
      return ['link_redirect_scheme', 'is redirected to what is no page of the web'];
    case 'dns_failed':
      return ['link_host_unknown', 'leads to a host that the DNS does not know'];
    case 'connect_failed':
      return ['link_unreachable', 'leads to a host that takes no connection'];
    case 'tls_failed':
      return ['link_tls_invalid', 'leads to a host without a valid certificate'];
    case 'timeout':
      return ['link_timeout', 'was not answered within 5 seconds'];
    case 'too_many_redirects':
      return ['link_redirect_loop', 'is redirected again and again'];
    case 'bad_answer':
      return ['link_unreachable', 'leads to a server that does not answer as one of the web'];
  }
}
