export type Point = { readonly x: number; readonly y: number };

type GestureOptions = {
  /** Two fingers, or a wheel with Ctrl, which is what touchpads send for two fingers. */
  readonly onZoom: (factor: number, at: Point) => void;
  readonly onFit: () => void;
  readonly onFind: () => void;
};

// A step of + and - on the keyboard and in the bar.
export const ZOOM_STEP = 1.25;

/** Zooms by fingers, wheel and keys. The document is zoomed, and not the whole page around it. */
export function listenToGestures(list: HTMLElement, { onZoom, onFit, onFind }: GestureOptions): void {
  let apart = 0;
  for (const name of ['touchstart', 'touchend', 'touchcancel'] as const)
    list.addEventListener(
      name,
      ({ touches }) => {
        apart = distanceOf(touches);
      },
      { passive: true },
    );
  list.addEventListener(
    'touchmove',
    (event) => {
      const [a, b] = event.touches;
      if (!a || !b) return;
      event.preventDefault();
      const now = distanceOf(event.touches);
      if (apart > 0) onZoom(now / apart, { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 });
      apart = now;
    },
    { passive: false },
  );
  list.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      onZoom(Math.exp(-event.deltaY / 300), { x: event.clientX, y: event.clientY });
    },
    { passive: false },
  );
  list.addEventListener('keydown', (event) => {
    const { left, top, width, height } = list.getBoundingClientRect();
    const middle = { x: left + width / 2, y: top + height / 2 };
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === 'f') onFind();
    else if (isCommand || event.altKey) return;
    else if (event.key === '+' || event.key === '=') onZoom(ZOOM_STEP, middle);
    else if (event.key === '-') onZoom(1 / ZOOM_STEP, middle);
    else if (event.key === '0') onFit();
    else return;
    event.preventDefault();
  });
}

/** How far two fingers are apart; 0 where there are not two. */
const distanceOf = ([a, b]: TouchList): number =>
  a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0;
