// The script of the page of an invitation. It takes the token out of the address bar, asks what is offered, and shows how to answer.
const byId = (id) => document.getElementById(id);
const show = (id, text) => {
  byId(id).textContent = text;
};

const token = location.hash.slice(1);
// The token must not stay in the history, nor be copied with the address.
history.replaceState(null, '', location.pathname);
// A second link that is opened in the same tab changes only the fragment.
addEventListener('hashchange', () => location.reload());

const path = `/invitations/${location.pathname.split('/').at(-1)}`;
const minute = (time) => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** One argument of a shell command. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const curl = (target, headers, body) =>
  [
    'curl -X POST',
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...(body ? [`--json ${quoted(JSON.stringify(body))}`] : []),
  ]
    .concat(quoted(location.origin + target))
    .join(' \\\n  ');
const command = (id, ...request) => {
  byId(id).querySelector('code').textContent = curl(...request);
};

const namesOf = (permission) => ['get', 'query', 'post', 'patch', 'put', 'delete'].filter((method) => permission[method]);

/** One line for each part of the agreement. */
function termsOf({ owner, acl_permissions: permissions, acl_permission_groups: groups }) {
  if (owner) return ['All permissions, as an owner'];
  const lines = groups.map(({ name }) => `The permission group ${name}`);
  for (const permission of permissions) {
    const resource = permission.resource === '*' ? 'everything' : permission.resource;
    if (namesOf(permission).length > 0) lines.push(`${resource}: ${namesOf(permission).join(', ')}`);
  }
  return lines.length > 0 ? lines : ['No permissions yet'];
}

/** Why a token does not work, and what the person can do. */
const nextSteps = {
  invalid_token: 'The link may be cut off. Open it again from the mail. If that does not help, ask for a new invitation.',
  invitation_used: 'Each invitation is answered once. If you accepted it, you have access with your account.',
  invitation_replaced: 'Look for a newer mail with the same subject.',
  invitation_withdrawn: 'Ask the person who invited you for a new invitation.',
  invitation_expired: 'Ask the person who invited you for a new invitation.',
};

function showProblem({ code, message }) {
  show('problem', code === 'invalid_token' ? 'This link does not work.' : message);
  // An invitation that was answered is no fault.
  if (code === 'invitation_used') byId('problem').className = '';
  show('next', nextSteps[code] ?? 'Open the link again later.');
  byId('next').hidden = false;
}

/** Browsers copy only on https, and on this machine. */
function offerToCopy() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent);
      button.textContent = 'Copied';
    });
  }
}

function showOffer(offer) {
  const { partner, inviter, email } = offer;
  show('summary', `${inviter ? `${inviter.name} invites you` : 'You are invited'} to work with ${partner.name}.`);
  show('email', email);
  for (const line of termsOf(offer)) byId('terms').append(Object.assign(document.createElement('div'), { textContent: line }));
  show('second-factor', offer.mfa_required ? 'Required' : 'Not required');
  show('ends', offer.expires_at === null ? 'Never' : minute(offer.expires_at));
  show('until', minute(offer.invitation_expires_at));
  const proof = `Invitation-Token: ${token}`;
  byId('sign-up').hidden = offer.has_account;
  command('sign-up', '/api/auth/sign-up/email', [proof], { name: 'YOUR NAME', email, password: 'AT LEAST 12 CHARACTERS' });
  command('sign-in', '/api/auth/sign-in/email', [], { email, password: 'YOUR PASSWORD' });
  for (const answer of ['accept', 'decline']) command(answer, `${path}/${answer}`, [proof, 'Authorization: Bearer SESSION']);
  offerToCopy();
  byId('offer').hidden = false;
}

/** Asks what is offered. A GET changes nothing. */
async function load() {
  try {
    const answer = await fetch(path, { headers: { 'invitation-token': token }, credentials: 'omit', cache: 'no-store' });
    const body = await answer.json();
    if (answer.ok) showOffer(body);
    else showProblem(body);
  } catch {
    show('problem', 'Concord does not answer. Check your connection, then open the link again.');
  }
}

if (token) load();
else byId('no-token').hidden = false;
