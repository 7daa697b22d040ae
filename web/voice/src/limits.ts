/** Limits of voices, with their reasons. The realm's own limits are generated from `spec/limits.json`. */

/** Samples a second of every voice: that of Opus. */
export const VOICE_RATE_HZ = 48_000;
/** Samples of a unit: 20 ms. */
export const UNIT_SAMPLES = 960;
/** Duration of a unit. */
export const UNIT_MS = (UNIT_SAMPLES * 1_000) / VOICE_RATE_HZ;
/** Longest output of one call of `render`: eight quanta of an AudioContext. */
export const RENDER_SAMPLES_MAX = 1_024;

/** Units waiting in one voice, and how far their numbers may be apart: 1.28 s. A power of two. */
export const WAITING_UNITS_MAX = 64;
/** A number further from the newest than this is an error at first: a minute of units. */
export const NUMBER_JUMP_MAX = 3_000;
/** Consecutive numbers out of sequence after which playout continues with these… */
export const REANCHOR_UNITS = 4;
/** …if they took this long. A transport that recovers delivers its old units faster, beside newer ones. */
export const REANCHOR_MS = 60;
/** Times of consecutive units that differ this much from {@link UNIT_MS} are a pause: half a unit. */
export const PAUSE_MS_MIN = UNIT_MS / 2;

/** Shortest wait of units, without the samples that are rendered at once. */
export const TARGET_MS_MIN = 8;
/** Longest wait of units: beyond, people interrupt each other, and a gap is the lesser harm. */
export const TARGET_MS_MAX = 400;
/** Most samples rendered ahead of the clock that count: the buffer of a slow sound card. */
export const AHEAD_MS_MAX = 80;
/** The wait before any arrival is known: NetEQ has 80 ms, and the first units correct it. */
export const TARGET_MS_FIRST = 40;
/** Added to the measured spread: the clock of audio proceeds in steps of a quantum. */
export const TARGET_MARGIN_MS = 4;
/** Span of arrivals that count as one, by the latest unit: a burst after a freeze is one event. */
export const ARRIVAL_WINDOW_MS = 100;
/** Share of these spans without a late unit. */
export const ARRIVAL_QUANTILE = 0.95;
/** Weight that a span keeps at the next: a memory of ten seconds. */
export const ARRIVAL_KEPT = 0.99;
/** Resolution of the spread. */
export const ARRIVAL_BIN_MS = 2;
/** Bins of the spread; the last holds later units too. */
export const ARRIVAL_BINS = 256;
/** The quickest unit of this long is the origin of the spread. A drift of 500 ppm moves it by 1 ms. */
export const ORIGIN_WINDOW_MS = 2_000;
/** A unit later than this is no part of the spread: its time may be wrong. */
export const ARRIVAL_MS_MAX = 2_000;
/** Clock drift between sender and receiver that playout allows for: oscillators have ±100 ppm. */
export const DRIFT_MAX = 500e-6;

/** Distance from the target below which the delay isn't changed. */
export const DELAY_TOLERANCE_MS = 3;
/** Part of the target added to it: a wide spread is known less exactly. */
export const DELAY_TOLERANCE_SHARE = 0.15;
/** Distance above the target from which stretching prefers long steps. */
export const HURRY_MS = 60;
/** Distance above the target beyond which units are skipped: stretching half a second takes about a second. */
export const BACKLOG_MS_MAX = 500;
/** Distance above the target at which a unit is played although units before it are missing. */
export const MISSING_MS_MAX = 50;

/** A talkspurt waits this much longer for its first units, if at most so many are missing. */
export const FIRST_MISSING_MS = 20;
export const FIRST_MISSING_MAX = 3;

/** Units at the beginning of a talkspurt that aren't stretched: the first sound of a word tells most. */
export const INTACT_UNITS = 3;

/** Shortest and longest step of stretching: the pitch periods of voices, 400 to 67 Hz. */
export const STRETCH_SAMPLES_MIN = 120;
export const STRETCH_SAMPLES_MAX = 720;
/** Longest cross-fade of a step, and of a join after concealment: 5 ms, a multiple of Opus's 2.5. */
export const FADE_SAMPLES = 240;
/** Fade-in after silence: 1 ms, so that the first sound of a word remains. */
export const FADE_IN_SAMPLES = 48;

/** Samples concealed at once: 10 ms, so that a late unit is soon heard. */
export const CONCEAL_SAMPLES = 480;
/** Concealment is as loud as the voice for this long… */
export const CONCEAL_FULL_SAMPLES = 4_800;
/** …and silent from then on. */
export const CONCEAL_SAMPLES_MAX = 7_680;
/** After a concealment of at most this, the beginning of a late unit is skipped. After a longer one a syllable is missing. */
export const LATE_SKIP_SAMPLES_MAX = 2_880;

/** Samples that a context renders at once: a quantum. */
export const RENDER_SAMPLES = 128;
/** Silence after which an output may take another voice. The server keeps a silent voice's place for a second. */
export const SLOT_IDLE_MS = 1_000;
/** Outputs beyond the voices at once: when the server replaces a voice by a nearer one, its output isn't idle yet. */
export const SLOTS_SPARE = 2;
/** Time after a unit in which its voice counts as active. A network may delay the next one. */
export const SPEAKING_MS = 300;
/**
 * How long a muted microphone stays open, with its sound discarded: to cough into the hand, and between two words by
 * push to talk. Opening it again costs the beginning of a word.
 */
export const MUTED_KEPT_MS = { open: 3_000, push: 30_000 } as const;
/** A context that nobody uses is suspended after this: sound cards and processors of laptops sleep then. */
export const CONTEXT_IDLE_MS = 60_000;
/** Time in which a suspended context runs again. Beyond it, the browser waits for a press. */
export const CONTEXT_WAKES_MS = 500;
/** A context that doesn't run after this has no sound output. */
export const CONTEXT_STARTS_MS = 10_000;
/** Samples a second by which echo is looked for: the tones of vowels are below half of it. */
export const ECHO_RATE_HZ = 4_000;
/** Longest time from a page's output to its input: that of Bluetooth loudspeakers. */
export const ECHO_DELAY_MAX_S = 0.3;
/** Gain from loudspeaker to microphone from which people notice their own voice: −30 dB, as quiet as a whisper. */
export const ECHO_GAIN_MIN = 10 ** (-30 / 20);
/** Shares of captured power that windows with echo at one delay explain together: two clear ones, or several others. */
export const ECHO_AGREED = 0.5;
/** Windows that capture less than an echo, after which there is none: a second. */
export const ECHO_SILENT_WINDOWS = 2;
/** Windows after which the check ends without an echo: ten seconds. */
export const ECHO_WINDOWS_MAX = 16;
/** Samples that the check reads at once: the most that an analyser keeps, 0.7 s. */
export const ECHO_WINDOW_SAMPLES = 32_768;
/** Longest time between two reports of a voice that goes on: three of {@link REPORT_MS}. */
export const ECHO_POLL_S_MAX = 0.3;
/** Samples by which the loudness of the voices is measured. */
export const METER_SAMPLES = 4_096;
/** Captured sound this much louder than the expected echo is the person. */
export const DUCK_MARGIN_DB = 6;
/** Factor of other voices while a person with echo talks: −10 dB. */
export const DUCK_GAIN = 10 ** (-10 / 20);
/** Time constants of ducking: within a syllable, and after a pause between words. */
export const DUCK_S = { down: 0.03, up: 0.3 } as const;
/** Least loudness, as root mean square, of played sound that tells something: −55 dB. */
export const PLAYED_RMS_MIN = 0.0018;
/** Interval of reports from processors to the page: a level meter's. */
export const REPORT_MS = 100;
/** Bits a second of a voice: 32,000 are transparent for speech, 12,000 are well intelligible. */
export const VOICE_BITS_PER_S = { least: 12_000, most: 32_000 } as const;
/** Effort of the encoder from 0 to 10: about 0.5 ms a packet on a laptop. */
export const ENCODER_COMPLEXITY = 5;
/**
 * Least and highest loss that the encoder prepares for. The speaker doesn't know the paths to the listeners, and copies
 * for more would leave too little for the sound itself.
 */
export const LOSS_PERCENT = { least: 10, most: 20 } as const;
/** Loudness in −dBov up to which a packet without voice activity of its own counts as speech. */
export const SPEECH_LEVEL = 45;
/** Time constant of a change of the volume. */
export const VOLUME_S = 0.02;
/** Time in which a voice changes its panner: inaudible, and short enough for a turn of the head. */
export const PANNER_FADE_S = 0.03;
/** Time in which a new panner begins to sound: twice the longest block of its convolution, 512 samples. */
export const PANNER_STARTS_S = 0.02;
/** Time constant of a moving voice's position: two frames of 60 a second. */
export const POSITION_EASE_S = 0.03;
