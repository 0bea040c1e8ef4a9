// Not awaited here: the button works from the beginning.
const loading = import(document.querySelector('main').dataset.script);

const show = (text) => {
  const entry = document.createElement('li');
  entry.textContent = text;
  document.querySelector('#events').append(entry);
};

document.querySelector('#sign').addEventListener('click', async () => {
  const answer = await fetch('document', { method: 'POST' });
  if (!answer.ok) return show(await answer.text());
  const { embedUrl } = await answer.json();
  const { openSigning } = await loading;
  openSigning(embedUrl, {
    title: 'Sign the contract',
    onEvent: ({ type, code }) => show(code ? `${type}: ${code}` : type),
  });
});
