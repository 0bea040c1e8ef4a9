import { language } from '../../../../../shared/ui/browser/page-language.ts';
import { positionNow } from '../../../../../shared/ui/browser/position.ts';
import { find } from '../../../../../shared/ui/browser/signing/action-form.ts';
import { actingWords } from './words.ts';

const words = actingWords(language);

// A meter or so.
const DIGITS = 5;

/** Lets a person have their location recorded. The browser is asked once they tick the box, and asks them again. */
export function mountLocation(main: ParentNode): void {
  const box = main.querySelector<HTMLElement>('.location');
  if (!box) return;
  const choice = find(box, '#give-location', HTMLInputElement);
  const status = find(box, '#location-status', HTMLElement);
  const field = find(box, '[name=location]', HTMLInputElement);
  // A browser that fills a form in again after a reload would tick a box that nobody ticked.
  choice.checked = false;
  box.hidden = false;

  choice.addEventListener('change', async () => {
    field.value = '';
    status.textContent = choice.checked ? words.locating : '';
    if (!choice.checked) return;
    const position = await positionNow();
    // Unticked meanwhile.
    if (!choice.checked) return;
    choice.checked = position !== undefined;
    if (!position) {
      status.textContent = words.noLocation;
      return;
    }
    const { coords } = position;
    const [latitude, longitude] = [coords.latitude.toFixed(DIGITS), coords.longitude.toFixed(DIGITS)];
    const accuracy = String(Math.ceil(coords.accuracy));
    // Recorded as it is shown here.
    field.value = [latitude, longitude, accuracy].join(',');
    status.textContent = words.location(`${latitude}, ${longitude}`, accuracy);
  });
}
