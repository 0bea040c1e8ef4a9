import { find } from '../../../../../shared/ui/browser/signing/action-form.ts';

// What is drawn, typed or chosen becomes the file of the form, as a small PNG. Without this script a file is chosen.

const WIDTH = 600;
const HEIGHT = 200;
const LINE_WIDTH = 4;
const NAME_FONT = 'italic 64px "Snell Roundhand", "Segoe Script", "Brush Script MT", cursive';

/** Lets a person draw their signature, or type their name. */
export function mountSignatureImage(main: ParentNode): void {
  const box = main.querySelector<HTMLElement>('.signature-image .drawing');
  if (!box) return;
  const canvas = find(box, 'canvas', HTMLCanvasElement);
  const pen = canvas.getContext('2d');
  const input = find(main, '#signature-image', HTMLInputElement);
  const name = find(box, '#typed-name', HTMLInputElement);
  if (!pen) return;
  box.hidden = false;

  const begin = (): void => {
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    Object.assign(pen, { lineWidth: LINE_WIDTH, lineCap: 'round', lineJoin: 'round' });
    // Ink on the white of a page, also where the screen is dark.
    pen.strokeStyle = '#16213a';
    pen.fillStyle = '#16213a';
  };
  const keep = (): void =>
    canvas.toBlob((blob) => {
      if (blob) chooseFile(input, new File([blob], 'signature.png', { type: 'image/png' }));
    }, 'image/png');

  const placeOf = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [((clientX - left) * WIDTH) / width, ((clientY - top) * HEIGHT) / height];
  };
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (name.value !== '') begin();
    name.value = '';
    pen.beginPath();
    pen.moveTo(...placeOf(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    pen.lineTo(...placeOf(event));
    pen.stroke();
  });
  canvas.addEventListener('pointerup', keep);
  name.addEventListener('input', () => {
    begin();
    pen.font = NAME_FONT;
    pen.textBaseline = 'middle';
    pen.fillText(name.value, LINE_WIDTH * 4, HEIGHT / 2, WIDTH - LINE_WIDTH * 8);
    if (name.value.trim() === '') input.value = '';
    else keep();
  });
  find(box, 'button', HTMLButtonElement).addEventListener('click', () => {
    begin();
    name.value = '';
    input.value = '';
  });
  // A photograph has megabytes. It is made as small as what is drawn.
  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    const image = file && (await createImageBitmap(file).catch(() => undefined));
    if (!image) return;
    begin();
    name.value = '';
    const scale = Math.min(WIDTH / image.width, HEIGHT / image.height);
    const [width, height] = [image.width * scale, image.height * scale];
    pen.drawImage(image, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height);
    keep();
  });
  begin();
}

/** The `change` event does not follow: it is for what the person chooses. */
function chooseFile(input: HTMLInputElement, file: File): void {
  const chosen = new DataTransfer();
  chosen.items.add(file);
  input.files = chosen.files;
}
