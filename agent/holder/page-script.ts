/**
 * The script of the page. It reloads the page when the question changes and not before, so that a PIN is not lost while
 * the holder types it. Without scripts the page reloads itself.
 */
export const PAGE_SCRIPT = `
const { shown } = document.body.dataset;
const rest = () => new Promise((done) => setTimeout(done, 2000));

// A submitted form changes the question too. A reload would cancel it.
let isAnswered = false;
addEventListener('submit', () => {
  isAnswered = true;
});

async function watch() {
  for (;;) {
    try {
      const answer = await fetch('./shown?not=' + encodeURIComponent(shown), { cache: 'no-store' });
      if ((await answer.json()).shown !== shown) break;
    } catch {
      await rest();
    }
  }
  if (!isAnswered) location.replace('./?lang=' + document.documentElement.lang);
}

watch();
`;
