// The pages that links in mails open. The token is in the fragment of the URL. The script sends it when the person submits the form, so
// opening a page, as mail scanners do, changes nothing.

type Page = {
  title: string;
  intro: string;
  /** The form sends `{token, [field.name]: value}` here. */
  action: string;
  field?: { name: string; label: string; hint: string; autocomplete: 'current-password' | 'new-password'; minLength: number };
  button: string;
  dangerous?: true;
  done: string;
};

const pages: Readonly<Record<string, Page>> = {
  '/console/verify': {
    title: 'Confirm your e-mail address',
    intro: 'Enter your password to confirm that this address is yours.',
    action: '/api/auth/verify-email',
    field: {
      name: 'password',
      label: 'Password',
      hint: 'The one that you chose when you signed up. If you change your address: the current one of your account.',
      autocomplete: 'current-password',
      minLength: 1,
    },
    button: 'Confirm the address',
    done: 'Your address is confirmed. You can sign in with it now.',
  },
  '/console/reset': {
    title: 'Set a new password',
    intro: 'The new password ends every session and every access token of your account.',
    action: '/api/auth/reset-password',
    field: {
      name: 'newPassword',
      label: 'New password',
      hint: '12 to 128 characters.',
      autocomplete: 'new-password',
      minLength: 12,
    },
    button: 'Set the password',
    done: 'Your new password is set. You can sign in with it now.',
  },
  '/console/delete': {
    title: 'Delete your account',
    intro:
      'This deletes your user with all its agreements, sessions and access tokens. It cannot be undone. The audit log keeps what your user did, under an id, without your name and addresses. If you did not ask for it, close this page and request a new password.',
    action: '/api/auth/delete-user/confirm',
    button: 'Delete my account',
    dangerous: true,
    done: 'Your account is deleted.',
  },
};

function toHtml({ title, intro, action, field, button, dangerous, done }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Concord</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/links.css">
<script src="/console/links.js" defer></script>
</head>
<body>
<main>
<p class="brand">Concord</p>
<h1 id="title">${title}</h1>
<noscript><p class="problem">This page needs JavaScript: the link keeps its token out of the reach of servers.</p></noscript>
<p id="no-token" class="problem" role="alert" hidden>This page works with the link from a mail. Open the link again. If that does not help, ask for a new mail.</p>
<form id="form" method="post" action="${action}" novalidate hidden>
<p id="intro">${intro}</p>
${field ? fieldHtml(field) : ''}<p id="problem" class="problem" role="alert"></p>
${field ? showHtml : ''}<button type="submit"${dangerous ? ' class="dangerous"' : ''}>${button}</button>
</form>
<p id="done" class="done" tabindex="-1" hidden>${done}</p>
</main>
</body>
</html>
`;
}

function fieldHtml({ name, label, hint, autocomplete, minLength }: NonNullable<Page['field']>): string {
  return `<label for="field">${label}</label>
<input id="field" name="${name}" type="password" autocomplete="${autocomplete}" required minlength="${minLength}" maxlength="128" aria-describedby="hint problem" autocapitalize="none" spellcheck="false">
<p id="hint" class="hint">${hint}</p>
`;
}

const showHtml = '<label class="show"><input id="show" type="checkbox"> Show the password</label>\n';

/** The HTML of each page, by its path. It has only constant text. */
export const linkPages: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(pages).map(([path, page]) => [path, toHtml(page)]),
);
