import { element } from '../../../../../shared/ui/browser/element.ts';
import { type Place, type Point, pointsOf, type Size, styleOf } from './geometry.ts';

export type MarkHandlers = {
  /** While it is dragged: moved or resized by so many points since the drag began. */
  readonly onDrag: (by: Point, way: 'move' | 'resize') => void;
  readonly onDragged: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
};

/** A mark on its page: dragged by the pointer, moved and resized by keys. It is a button, so that Tab reaches it. */
export function createMarkElement(label: string, hue: number, keysId: string, handlers: MarkHandlers) {
  const handle = element('span', { className: 'placed-corner', with: { 'aria-hidden': 'true' } });
  const box = element(
    'button',
    { type: 'button', className: `placed hue-${hue}`, with: { 'aria-describedby': keysId } },
    element('span', { className: 'placed-label' }, label),
    handle,
  );
  let size: Size = { width: 1, height: 1 };
  box.addEventListener('keydown', handlers.onKey);
  box.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const way = event.target === handle ? 'resize' : 'move';
    const begin = { x: event.clientX, y: event.clientY };
    box.setPointerCapture(event.pointerId);
    // The browser would not focus what it captures everywhere.
    box.focus({ preventScroll: true });
    const onMove = ({ clientX, clientY }: PointerEvent): void => {
      const page = box.parentElement?.getBoundingClientRect();
      if (page) handlers.onDrag(pointsOf({ x: clientX - begin.x, y: clientY - begin.y }, page, size), way);
    };
    const onEnd = (): void => {
      box.removeEventListener('pointermove', onMove);
      handlers.onDragged();
    };
    box.addEventListener('pointermove', onMove);
    for (const name of ['pointerup', 'pointercancel'] as const)
      box.addEventListener(name, onEnd, { once: true });
    event.preventDefault();
  });
  return {
    box,
    /** Shows it at a place of a page that is so large. */
    show(place: Place, name: string, pageSize: Size): void {
      size = pageSize;
      box.setAttribute('aria-label', name);
      Object.assign(box.style, styleOf(place, pageSize));
    },
  };
}

// Less is a click.
const DRAG_PIXELS = 6;
// Some browsers send a click after a drag, in the same moment.
const SAME_MOMENT_MS = 50;

type ButtonHandlers = { readonly onClick: () => void; readonly onDrop: (at: Point) => void };

/** Lets a button be pressed, or dragged to where it is dropped: by a mouse, or by a finger. */
export function listenToButton(button: HTMLElement, { onClick, onDrop }: ButtonHandlers): void {
  let droppedAt = Number.NEGATIVE_INFINITY;
  button.addEventListener('click', ({ timeStamp }) => {
    if (timeStamp - droppedAt > SAME_MOMENT_MS) onClick();
  });
  button.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const begin = { x: event.clientX, y: event.clientY };
    let ghost: HTMLElement | undefined;
    button.setPointerCapture(event.pointerId);
    const onMove = ({ clientX, clientY }: PointerEvent): void => {
      if (!ghost && Math.hypot(clientX - begin.x, clientY - begin.y) < DRAG_PIXELS) return;
      if (!ghost) {
        ghost = element(
          'div',
          { className: 'placed-ghost', with: { 'aria-hidden': 'true' } },
          button.textContent ?? '',
        );
        document.body.append(ghost);
      }
      Object.assign(ghost.style, { left: `${clientX}px`, top: `${clientY}px` });
    };
    const onEnd = ({ type, clientX, clientY, timeStamp }: PointerEvent): void => {
      button.removeEventListener('pointermove', onMove);
      for (const name of ['pointerup', 'pointercancel'] as const) button.removeEventListener(name, onEnd);
      if (!ghost) return;
      ghost.remove();
      droppedAt = timeStamp;
      if (type === 'pointerup') onDrop({ x: clientX, y: clientY });
    };
    button.addEventListener('pointermove', onMove);
    for (const name of ['pointerup', 'pointercancel'] as const) button.addEventListener(name, onEnd);
  });
}
