/**
 * All that runs on the page: shows what is asked when that changes, and not before, so that nothing is taken away from
 * under the holder's fingers. Without scripts the page reloads itself.
 */
export const PAGE_SCRIPT = `
const { shown } = document.body.dataset;
const rest = () => new Promise((done) => setTimeout(done, 2000));

// What the holder answers leads on by itself: what is shown changes with it, and going there would cut its way off.
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
