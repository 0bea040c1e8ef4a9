/** Why there is no camera to look through. */
export type CameraTrouble = 'cameraRefused' | 'noCamera' | 'cameraBusy' | 'insecure';

export class NoCamera extends Error {
  override readonly name = 'NoCamera';
  readonly trouble: CameraTrouble;
  constructor(trouble: CameraTrouble) {
    super(trouble);
    this.trouble = trouble;
  }
}

const TROUBLES: Readonly<Record<string, CameraTrouble>> = {
  NotAllowedError: 'cameraRefused',
  SecurityError: 'cameraRefused',
  NotFoundError: 'noCamera',
  OverconstrainedError: 'noCamera',
};

// Enough to know a face by, and small enough to send from anywhere.
const FRAME_WIDTH = 640;
const DOCUMENT_WIDTH = 1280;
const QUALITY = 0.85;
// A living person moves a little in this time, and nobody has to hold still for long.
const BETWEEN_FRAMES_MS = 300;

/** The camera in the page's video. */
export function cameraIn(video: HTMLVideoElement) {
  let stream: MediaStream | undefined;
  const stop = (): void => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = undefined;
    video.srcObject = null;
  };
  return {
    stop,
    /** Turns on the camera that looks at the person, or away from them. */
    async start(facingMode: 'user' | 'environment'): Promise<void> {
      stop();
      if (!globalThis.isSecureContext || !navigator.mediaDevices) throw new NoCamera('insecure');
      const width = { ideal: facingMode === 'user' ? FRAME_WIDTH : DOCUMENT_WIDTH };
      try {
        stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode, width } });
      } catch (error) {
        throw new NoCamera(TROUBLES[(error as Error).name] ?? 'cameraBusy');
      }
      video.srcObject = stream;
      await video.play();
      await nextFrame(video);
    },
    picture: () => pictureOf(video, DOCUMENT_WIDTH),
    async frames(count: number): Promise<string[]> {
      const frames: string[] = [];
      for (let taken = 0; taken < count; taken++) {
        await pause(BETWEEN_FRAMES_MS);
        await nextFrame(video);
        frames.push(await pictureOf(video, FRAME_WIDTH));
      }
      return frames;
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

// The first pictures of a camera are black, and one that is taken twice is one.
const nextFrame = (video: HTMLVideoElement): Promise<void> =>
  new Promise((done) => {
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(() => done());
  });

/** What the video shows, in JPEG and base64. */
async function pictureOf(video: HTMLVideoElement, mostWidth: number): Promise<string> {
  const width = Math.min(mostWidth, video.videoWidth);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round((video.videoHeight * width) / video.videoWidth);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/jpeg', QUALITY).split(',')[1] ?? '';
}
