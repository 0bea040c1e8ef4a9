// Gives every block of code a button that copies it, where the browser can: not on a page without TLS.
const site = document.querySelector('.site');
const { clipboard } = navigator;
for (const block of clipboard ? document.querySelectorAll('.code') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = site.dataset.copy;
  button.addEventListener('click', async () => {
    await clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = site.dataset.copied;
  });
  block.append(button);
}
