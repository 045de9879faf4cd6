/**
 * The mailbox's page: one document without external resources, with a policy that allows only its own script and style.
 * It is a module and not an .html file, so that the build includes it.
 */
import { createHash } from 'node:crypto';
import { PAGE_SCRIPT } from './mailbox-page-script.js';
import { PAGE_STYLE } from './mailbox-page-style.js';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Content-Security-Policy of the page. */
export const PAGE_POLICY =
  `default-src 'none'; script-src ${hash(PAGE_SCRIPT)}; style-src ${hash(PAGE_STYLE)}; connect-src 'self'; ` +
  "frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const MARK =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9"/>' +
  '<path d="M7.5 12.2 16 17.6l8.5-5.4"/><path d="M9.5 9h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V11a2 2 0 0 1 2-2Z"/></svg>';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' " +
  "rx='9' fill='%230d7a66'/%3E%3Cpath d='M7.5 12.2 16 17.6l8.5-5.4M9.5 9h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-13a2 2 0 0 " +
  "1-2-2V11a2 2 0 0 1 2-2Z' fill='none' stroke='white' stroke-width='1.8' stroke-linejoin='round'/%3E%3C/svg%3E";

const BIG_ENVELOPE =
  '<svg class="art" viewBox="0 0 196 112" aria-hidden="true"><path class="trail" d="M4 88c16 10 30 0 44-8"/>' +
  '<rect class="paper" x="50" y="22" width="96" height="66" rx="10"/><path class="flap" d="m53 29 45 32 45-32"/>' +
  '<circle class="seal" cx="140" cy="24" r="12"/><path class="tick" d="m134.5 24.2 3.8 3.8 7-7.4"/></svg>';

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Waypost mailbox</title>
<link rel="icon" href="${ICON}">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header class="bar">
  <a class="brand" href="#">${MARK}<span>Waypost <b>mailbox</b></span></a>
  <label class="search">
    <svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="9" cy="9" r="5.5"/><path d="m13.2 13.2 4 4"/></svg>
    <input id="search" type="search" placeholder="Search sender, recipient, subject" aria-label="Search" autocomplete="off" spellcheck="false">
    <kbd>/</kbd>
  </label>
  <span class="live" id="live" title="New mail appears automatically"><i></i><span>Live</span></span>
  <button class="quiet" id="empty" type="button">Empty</button>
</header>
<main>
  <aside>
    <div class="count" id="count" aria-live="polite"></div>
    <ul id="list" role="listbox" aria-label="Messages" tabindex="0"></ul>
  </aside>
  <section id="reader" aria-label="Message">
    <div class="blank" id="nothing">
      ${BIG_ENVELOPE}
      <h1>Every email lands here</h1>
      <p>Waypost delivers to this mailbox instead of the internet. Nothing leaves this machine, whatever the recipient address.</p>
      <p>Activate a flow and send an event. The email appears here automatically.</p>
    </div>
    <div class="blank" id="pick" hidden>
      ${BIG_ENVELOPE}
      <h1>Select a message</h1>
      <p><kbd>↑</kbd> <kbd>↓</kbd> move through the list, <kbd>/</kbd> searches, <kbd>Del</kbd> deletes.</p>
    </div>
    <article id="message" hidden>
      <div class="head">
        <div class="title">
          <button class="back" id="back" type="button" aria-label="Back to the list"><svg viewBox="0 0 20 20"><path d="M12 4 6 10l6 6"/></svg></button>
          <h1 id="subject"></h1>
          <span class="badge" id="badge"></span>
          <a class="quiet" id="download" download>Download</a>
          <button class="quiet" id="delete" type="button">Delete</button>
        </div>
        <div class="people">
          <span class="face" id="face"></span>
          <dl><dt>From</dt><dd id="from"></dd><dt>To</dt><dd id="to"></dd></dl>
          <time id="time"></time>
        </div>
        <div class="files" id="files" hidden></div>
        <div class="tabs">
          <div role="tablist" aria-label="View">
            <button role="tab" data-tab="html" type="button">HTML</button>
            <button role="tab" data-tab="text" type="button">Text</button>
            <button role="tab" data-tab="headers" type="button">Headers</button>
            <button role="tab" data-tab="source" type="button">Source</button>
          </div>
          <div class="widths" id="widths" role="group" aria-label="Width">
            <button data-width="wide" type="button" aria-pressed="true" title="Desktop width"><svg viewBox="0 0 20 20"><rect x="2.5" y="4" width="15" height="9.5" rx="1.5"/><path d="M7 16.5h6"/></svg></button>
            <button data-width="phone" type="button" aria-pressed="false" title="Phone width"><svg viewBox="0 0 20 20"><rect x="6" y="2.5" width="8" height="15" rx="2"/><path d="M9 15h2"/></svg></button>
          </div>
        </div>
      </div>
      <div class="view" id="view-html"><iframe id="frame" title="The message's HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe></div>
      <pre class="view text" id="view-text" tabindex="0"></pre>
      <div class="view" id="view-headers" tabindex="0"><dl id="headers"></dl></div>
      <pre class="view code" id="view-source" tabindex="0"></pre>
    </article>
  </section>
</main>
<dialog id="sure">
  <form method="dialog">
    <h2>Empty the mailbox?</h2>
    <p>All messages are permanently deleted. Contacts, flows and email logs do not change.</p>
    <div><button value="no" class="quiet" autofocus>Keep them</button><button value="yes" class="danger">Delete all</button></div>
  </form>
</dialog>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
