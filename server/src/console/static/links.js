// The script of the pages that links in mails open. It takes the token out of the address bar, and sends it when the form is submitted.
const byId = (id) => document.getElementById(id);
const [form, field, show, problem, noToken, done] = ['form', 'field', 'show', 'problem', 'no-token', 'done'].map(byId);
const button = form.querySelector('button');

const token = new URLSearchParams(location.hash.slice(1)).get('token');
// The token must not stay in the history, nor be copied with the address.
history.replaceState(null, '', location.pathname);
if (token) {
  form.hidden = false;
  // Not the button: a key press must not delete an account.
  field?.focus();
} else {
  noToken.hidden = false;
}

// A second link that is opened in the same tab changes only the fragment.
addEventListener('hashchange', () => location.reload());

show?.addEventListener('change', () => {
  field.type = show.checked ? 'text' : 'password';
});

function showProblem(text) {
  problem.textContent = text;
  if (!field) return;
  field.setAttribute('aria-invalid', String(text !== ''));
  if (text !== '') field.focus();
}

/** The text of a problem, or null when there is none. */
async function send() {
  const body = { token, ...(field && { [field.name]: field.value }) };
  try {
    const answer = await fetch(form.getAttribute('action'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
    });
    if (answer.ok) return null;
    return (await answer.json()).message;
  } catch {
    return 'Concord does not answer. Check your connection, then try again.';
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (button.disabled) return;
  if (field && field.value === '') return showProblem('Enter the password.');
  if (field && field.value.length < field.minLength)
    return showProblem(`The password must have at least ${field.minLength} characters.`);
  showProblem('');
  button.disabled = true;
  const text = await send();
  button.disabled = false;
  if (text !== null) return showProblem(text);
  form.hidden = true;
  if (field) field.value = '';
  done.hidden = false;
  done.focus();
});
