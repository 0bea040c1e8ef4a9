import { installLogSink } from './operations/domain/log-sink/install.ts';

// The build has every function of the service import this file first: see infra/build/bundle.ts.
installLogSink(Date.now);
