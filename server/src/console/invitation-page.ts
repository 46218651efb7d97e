// The page that the link in the mail of an invitation opens. It shows what is offered, and how to answer. Until the web console exists,
// the page cannot sign anyone in, so it gives the requests to send. Its script asks with the token in a header, and changes nothing.

const step = (id: string, title: string, text: string) => `<section id="${id}">
<h2>${title}</h2>
<p>${text}</p>
<pre tabindex="0"><code></code></pre>
<button type="button" class="copy" hidden>Copy</button>
</section>
`;

/** It has only constant text. The script fills in the rest, as text. */
export const invitationPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Your invitation – Concord</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/links.css">
<script src="/console/invitation.js" defer></script>
</head>
<body>
<main class="wide">
<p class="brand">Concord</p>
<h1>Your invitation</h1>
<noscript><p class="problem">This page needs JavaScript: the link keeps its token out of the reach of servers.</p></noscript>
<p id="no-token" class="problem" role="alert" hidden>This page works with the link from a mail. Open the link again. If that does not help, ask for a new invitation.</p>
<p id="problem" class="problem" role="alert"></p>
<p id="next" hidden></p>
<div id="offer" hidden>
<p id="summary"></p>
<dl>
<dt>For</dt><dd id="email"></dd>
<dt>Gives you</dt><dd id="terms"></dd>
<dt>Second factor</dt><dd id="second-factor"></dd>
<dt>Ends</dt><dd id="ends"></dd>
<dt>Answer until</dt><dd id="until"></dd>
</dl>
<p>Opening this page has answered nothing. Answer with these requests, on a command line or in your own program:</p>
<div class="steps">
${step('sign-up', 'Sign up', 'You have no account with this address yet. The token proves the address, so no second mail follows.')}${step('sign-in', 'Sign in', 'The answer has the token of your session.')}${step('accept', 'Accept', 'Put the token of your session in the place of SESSION.')}</div>
${step('decline', 'Or decline', 'This deletes the invitation. You can also do nothing.')}</div>
</main>
</body>
</html>
`;
