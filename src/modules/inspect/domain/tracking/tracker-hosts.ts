/** Hosts that track readers for others, by the ends of their names. */
import { registrableOf } from '../email/host.js';

/** Of analytics and advertising. */
const ANALYTICS = new Set(
  (
    'google-analytics.com googletagmanager.com doubleclick.net googleadservices.com googlesyndication.com facebook.net ' +
    'hotjar.com mixpanel.com segment.io segment.com amplitude.com matomo.cloud criteo.com criteo.net adnxs.com quantserve.com ' +
    'scorecardresearch.com bat.bing.com clarity.ms liveintent.com liadm.com movableink.com litmus.com emltrk.com ' +
    'mailtrack.io yesware.com bananatag.com mixmax.com cirrusinsight.com getnotify.com readnotify.com didtheyreadit.com ' +
    'adform.net taboola.com outbrain.com snapchat.com adsrvr.org rlcdn.com bluekai.com demdex.net omtrdc.net'
  ).split(' '),
);
/** Paths of pixels on hosts that also serve other content. */
const PIXEL_PATHS =
  /^(?:www\.)?(?:facebook\.com\/tr\b|linkedin\.com\/px\b|px\.ads\.linkedin\.com|analytics\.twitter\.com|ct\.pinterest\.com|analytics\.tiktok\.com|t\.co\/i\/adsct)/;

/** Other email services: the hosts of their click redirects and open images. */
const EMAIL_SERVICES =
  /(?:^|\.)(?:list-manage\d?\.com|mailchi\.mp|mandrillapp\.com|ct\.sendgrid\.net|sendgrid\.net|mailgun\.org|mjt\.lu|mailjet\.com|sendibt\d\.com|sendibm\d\.com|sendinblue\.com|brevo\.com|createsend\d?\.com|cmail\d{1,2}\.com|constantcontact\.com|rs6\.net|klclick\d?\.com|klaviyomail\.com|hubspotlinks\.com|hs-sites\.com|hubspotemail\.net|mkto-[\w-]+\.com|mktoresp\.com|exacttarget\.com|exct\.net|pardot\.com|activehosted\.com|acemlna?\.com|acemlnc\.com|getresponse\.com|mlsend\d?\.com|mailerlite\.com|awstrack\.me|convertkit-mail\d?\.com|drip\.com|customeriomail\.com|iterable\.com|sparkpostmail\d?\.com|spgo\.io|postmarkapp\.com|pstmrk\.it|elasticemail\.com|sendpulse\.com|infusionsoft\.com|keap-link\d{3}\.com|campaign-archive\.com|emarsys\.net|responsys\.net|rdir\d?\.com|cleverreach\.com|rapidmail\.com|inxmail\.com)$/;
/** Paths with which services count clicks on their customers' domains. */
const CLICK_PATHS =
  /^\/(?:ls\/click|wf\/click|track\/click|CL0\/https?:|e3t\/(?:btc|ctc)|f\/a\/[\w~-]{20,}|mk\/cl\/f|tr\/cl\/|lnk\/[A-Za-z0-9]{20,}\/)/i;

export function isAnalytics(url: URL): boolean {
  const host = url.hostname;
  return (
    ANALYTICS.has(registrableOf(host)) ||
    ANALYTICS.has(host) ||
    PIXEL_PATHS.test(`${host}${url.pathname.slice(0, 100)}`)
  );
}

/** Whether an address leads through the click counter of another email service. */
export function isCountedElsewhere(url: URL): boolean {
  return EMAIL_SERVICES.test(url.hostname) || CLICK_PATHS.test(url.pathname.slice(0, 200));
}
