/**
 * All texts of the pages, by element; no module outside this folder contains any. Another language is another value of
 * `Texts`. Variable parts are parameters, so that each language can order them.
 */
import { PASSWORD_BYTES_MIN } from "../limits.ts";
import { pluralsOf } from "./plurals.ts";
import { edit } from "./texts-edit.ts";
import { reasons } from "./texts-reasons.ts";
import { refused } from "./texts-refused.ts";
import { scenes } from "./texts-scenes.ts";
import { trust } from "./texts-trust.ts";

const plural = pluralsOf("en");

const english = {
  /** Texts that several elements share. */
  shared: {
    product: "Stoa",
    allScenes: "All scenes",
    close: "Close",
    cancel: "Cancel",
    nameOthersSee: "Display name",
    nameExample: "For example: Ada",
    signIn: "Sign in",
    accountName: "Username",
    password: "Password",
    units: ["bytes", "kB", "MB", "GB"],
    size: (value: string, unit: string) => `${value} ${unit}`,
  },
  loading: {
    progress: (loaded: number, all: number) => `Loading files: ${number(loaded)} of ${number(all)}`,
    broken: (count: number) => plural(count, { one: "# object can't be shown", other: "# objects can't be shown" }),
    why: (file: string, reason: string) => `${file}: ${reason}`,
    reasons: {
      missing: "file not found",
      "no-address": "not a valid address",
      "not-allowed": "you don't have access to the file",
      unreachable: "its server isn't responding",
      "too-large": "the file is too large",
      unreadable: "the file is damaged or of an unknown type",
    },
    forget: "Dismiss",
  },
  renewed: {
    said: "A new version is available. Some features need it.",
    load: "Reload",
    later: "Later",
  },
  missing: {
    said: "Page not found.",
    home: "See all scenes",
  },
  home: {
    title: "Scenes on this server",
    intro: "Choose a scene and meet others there.",
    yourName: "Your name",
    scenes: "Scenes",
    looking: "Loading…",
    none: "No scenes are open to you yet. Sign in to see more.",
    enter: "Enter",
    asGuest: "as guest",
    noOwner: "This server has no owner yet. Open the owner link that the server printed when it started.",
    newScene: "New scene",
    newName: "Scene name",
    newFolder: (account: string) => `Created in your folder, ${account}/.`,
    newFolderAnywhere: (account: string) =>
      `Created in your folder, ${account}/. For another folder, type folder/name, such as public/studio.`,
    newExample: "For example: studio",
    private: "Private: only people you invite can enter",
    find: "Search scenes",
    noneFound: "No scenes found.",
    locked: " · locked",
    remove: "Delete",
    reallyRemove: "Delete it and everything in it?",
    create: "Create",
    notListed: (reason: string) => `Couldn't load the scenes. ${reason}`,
    badName: "A scene name is folder/name. Use letters, digits, dots, dashes and underscores.",
    taken: (scene: string) => `The name ${scene} is taken. Choose another one.`,
    roles: { viewer: "you can view", editor: "you can edit", owner: "you're the owner" },
    inside: (count: number, names: readonly string[]) => {
      if (count === 0) return "Nobody here";
      if (names.length === 0) return `${people(count)} here`;
      const more = count > names.length ? ` and ${number(count - names.length)} more` : "";
      return `${people(count)} here: ${names.join(", ")}${more}`;
    },
  },
  signIn: {
    signedInAs: "Signed in as",
    realmOwner: ", owner of this server",
    signOut: "Sign out",
    wrong: "Wrong username or password.",
    forgotten: {
      open: "Forgot your password? The server's owner can send you a link to set a new one.",
      invited:
        "No account yet? An invitation to a scene lets you create one. Forgot your password? Ask the server's owner.",
      closed: "Need an account, or forgot your password? Ask the server's owner for a link.",
    },
  },
  join: {
    title: "Create an account",
    make: "Create account",
    nameRule: "Letters a to z, digits, dots, dashes and underscores. No spaces.",
    badName: (typed: string, instead: string) =>
      `“${typed}” can't be a username.${instead === "" ? "" : ` Try “${instead}”.`} Your display name can be anything you like.`,
  },
  account: {
    files: "Your files",
    filesText: "Everything you have uploaded, for all scenes.",
    seeFiles: "Manage your files",
    title: "Your account",
    setNewPassword: "Set a new password",
    you: "You",
    welcome: (name: string) => `Welcome, ${name}. You are signed in.`,
    voided: "This link no longer works",
    voidedText: "It was used, or it has expired. Ask the sender for a new one.",
    newPasswordRule: `New password (at least ${PASSWORD_BYTES_MIN} characters)`,
    setPassword: "Set password",
    oldPassword: "Current password",
    changePassword: "Change password",
    changed: "Password changed. You are signed in.",
    wrongPassword: "Wrong password.",
    endsOthers: "This signs out all other browsers and programs.",
    links: "Account links",
    linksText: "This server sends no email, so send the link yourself. It works once and expires in two days.",
    linkFor: "Type of link",
    somebodyNew: "Sign-up link for a new person",
    passwordOf: (name: string) => `Password reset link for ${name}`,
    makeLink: "Create link",
    freshLink: "Send this link to one person only",
    linkMade: (until: string) => `The link works until ${until}.`,
    delete: "Delete my account",
    deleteText: "This deletes your account immediately and for good. Its username can't be used again.",
    noScenes: "Your account has no scenes.",
    scenesGo: "These scenes and everything in them are deleted, too:",
    filesStay: (count: number) =>
      plural(count, {
        one: "The file that you uploaded stays, because other scenes may use it.",
        other: "The # files that you uploaded stay, because other scenes may use them.",
      }),
    lastOwner: "A server needs an owner. Make another account an owner first.",
    understood: "I understand",
    deleted: "Your account was deleted.",
  },
  owner: {
    title: "Set up this server",
    welcome: "Welcome",
    yours: (name: string) => `You own this server now, ${name}.`,
    seeScenes: "See all scenes",
    noSecret:
      "The link is incomplete. Open the whole link that the server printed when it started, with everything after the #. Restart the server to get a new one.",
    intro: "Create the owner account. The owner has full control of this server.",
    passwordRule: `Password (at least ${PASSWORD_BYTES_MIN} characters)`,
    again: "Confirm password",
    become: "Create owner account",
    differ: "The passwords don't match.",
    used: "This link was used, and the server has an owner. If that is you, sign in on the start page.",
    voided: "This link is wrong, expired or used. Restart the server to get a new one.",
  },
  enter: {
    title: (scene: string) => `Enter ${scene}`,
    asGuest: "Enter as guest",
    haveAccount: "Sign in or create an account",
    invited: "You're invited. Choose a display name and enter.",
  },
  refused,
  overlay: {
    panels: {
      people: "People",
      chat: "Chat",
      reactions: "React",
      edit: "Edit",
      places: "Spots",
      share: "Share",
      settings: "Settings",
      help: "Help",
      history: "History",
      voice: "Voice",
    },
    more: "More",
    loading: "Loading…",
    notLoaded: (panel: string) => `Couldn't load ${panel}. Check your network and try again.`,
    scene: "Scene",
    toolbar: "Panels",
    walkByTouch: "Walk by touch",
    refused: (about: string, reason: string) => `That didn't work${about}: ${reason}.`,
  },
  voice: {
    talk: "Talk",
    mute: "Mute",
    unmute: "Unmute",
    hold: "Hold to talk",
    stop: "Stop talking",
    level: "Level",
    microphone: "Microphone",
    mode: "When you're heard",
    modes: { open: "Until I mute", push: "While I hold Talk or the M key, or A or X in a headset" },
    isOff: "Press Talk to join by voice. Your browser asks for the microphone then.",
    reach: "People nearby hear you, up to 20 m. You're louder the closer you are.",
    press: "Press anywhere to hear people.",
    echo: "Your microphone hears your loudspeakers, so people hear themselves. Use headphones.",
    starting: "Starting…",
    speaking: "speaking",
    isOn: "microphone on",
    hindrances: {
      denied: "Your browser blocks the microphone here. Allow it beside the address, then press Talk again.",
      "no-device": "No microphone found. Connect one, then press Talk again.",
      unplugged: "Your microphone was disconnected. Connect it, then press Talk again.",
      taken: "Another program is using your microphone. Close it there, then press Talk again.",
      insecure: "Browsers allow the microphone only over HTTPS. Open this page with https:// in the address.",
      unsupported: "This browser can't send voice. Use a current Chrome, Edge, Firefox or Safari.",
      "no-output": "Your browser has no sound output. Connect a loudspeaker or headphones, then press Talk again.",
      codec: "Voice couldn't load. Check your network, then press Talk again.",
      forbidden: "You can't talk in this scene any more. Ask the scene's owner.",
    },
  },
  places: {
    none: "This scene has no spots yet.",
    goTo: (place: string) => `Go to ${place}`,
    credits: "Credits",
  },
  status: {
    connecting: "Connecting",
    connected: "Connected",
    silent: "Connection problem. Check your network.",
    reconnecting: "Reconnecting…",
    restarting: "The server is restarting.",
    away: "The server can't be reached.",
    refused: "You can't enter",
    closed: "You left the scene",
    tryAgain: "Try again",
  },
  undo: {
    title: "Undo and redo",
    undo: "Undo",
    redo: "Redo",
    done: { undo: "Undone.", redo: "Redone." },
    somebody: "Someone else",
    changed: (what: string, who: string, keys: readonly string[]) =>
      `${what} stays as it is: ${who} has changed ${attributeNames(keys)} since.`,
    left: {
      gone: (what: string) => `${what} is gone: someone else deleted it.`,
      carries: (what: string) => `${what} stays as it is: it has children now.`,
      there: (what: string) => `${what} stays as it is: the name is in use again.`,
      hangs: (what: string) => `${what} can't be restored: its parent is gone.`,
    },
  },
  history: {
    realm: "Server",
    firstScenes: "Server setup",
    guest: (name: string) => `${name} (guest)`,
    kept: (days: number, size: string) =>
      `Changes are kept for ${plural(days, { one: "# day", other: "# days" })} (up to ${size} across all scenes).`,
    oldest: (when: string) => `Oldest change: ${when}.`,
    by: "By",
    of: "Object",
    everybody: "Everyone",
    everything: "All objects",
    none: "No changes found.",
    newer: "Show new changes",
    older: "Show older changes",
    undoHour: (name: string) => `Undo the last hour by ${name}`,
    reallyUndoHour: (name: string) => `Undo the last hour by ${name}?`,
    made: (what: string) => `created ${what}`,
    deleted: (what: string, more: number) =>
      more === 0
        ? `deleted ${what}`
        : `deleted ${what} and ${plural(more, { one: "its # child", other: "its # children" })}`,
    changed: (what: string, keys: readonly string[], shown?: readonly [string, string]) =>
      keys.length === 0
        ? `changed ${what}`
        : `changed ${attributeNames(keys)} of ${what}${shown === undefined ? "" : `: ${shown[0]} → ${shown[1]}`}`,
    asOn: (what: string) => (what === "" ? "Restore the whole scene to" : `Restore ${what} to`),
    preview: "Preview",
    toHere: "Restore to this point",
    sceneToLabel: (when: string) => `Restore to this point: the whole scene as of ${when}`,
    sceneTo: (when: string) => `Restore the whole scene to ${when}?`,
    asHere: "Restore this version",
    objectTo: (what: string, when: string) => `Restore ${what} to ${when}?`,
    bringBack: "Restore",
    back: (what: string) => `Restore ${what}`,
    reallyBack: (what: string) => `Restore ${what}?`,
    asHereLabel: (what: string, when: string) => `Restore this version: ${what} as of ${when}`,
    would: ({ created, changed, removed }: { created: number; changed: number; removed: number }) => {
      const parts = [
        created > 0 ? `restores ${objects(created)}` : "",
        changed > 0 ? `changes ${objects(changed)}` : "",
        removed > 0 ? `deletes ${objects(removed)}` : "",
      ];
      return `This ${listed(parts.filter((part) => part !== ""))}. Everyone in the scene sees the change. You can undo it in History.`;
    },
    stays: (left: number) =>
      plural(left, {
        one: "# object is not fully restored, because others have changed it since or added children to it.",
        other: "# objects are not fully restored, because others have changed them since or added children to them.",
      }),
    noChange: "Nothing would change.",
    doIt: "Restore",
    cancel: "Cancel",
    done: (count: number) => plural(count, { one: "Done: # object.", other: "Done: # objects." }),
  },
  ask: {
    title: "Question",
    answer: "Your answer",
    send: "Send",
    cancel: "Cancel",
    otherSite: { title: "Leave this server?", leads: "This link leads to another site:" },
    otherPage: { title: "Leave the scene?", leads: "This link leads to another page of this server:" },
    leave: "Open link",
  },
  looks: {
    title: "Your avatar",
    color: "Avatar colour",
    colors: ["Red", "Ochre", "Olive", "Green", "Teal", "Blue", "Violet", "Pink"],
    body: "Body",
    full: "Full body",
    half: "Upper body",
    model: "Address of your own avatar",
    modelExample: "/store/users/ada/avatars/me.vrm",
    use: "Apply",
    upload: "Or upload one (.vrm or .glb)",
    sending: "Uploading…",
    trying: "Trying it on…",
    worn: "Everyone sees you with this avatar now.",
    notSent: (why: string) => `Upload failed. ${why}`,
    notHere: "Use a .vrm, .glb or .gltf file on this server: its address begins with /store/.",
    refusals: {
      away: () => "File not found.",
      bytes: (found: number, limit: number) => `The file has ${number(found)} MB. The limit is ${number(limit)} MB.`,
      triangles: (found: number, limit: number) =>
        `The model has ${number(found)} triangles. The limit is ${number(limit)}.`,
      broken: () => "The file isn't a model that can be read. Export it again, as .vrm or .glb.",
    },
  },
  react: {
    shapes: "Reactions",
    names: {
      heart: "Heart",
      thumb: "Thumbs up",
      clap: "Clap",
      laugh: "Laugh",
      star: "Star",
      question: "Question",
    },
    raise: "Raise hand",
    lower: "Lower hand",
    point: "Laser pointer",
    stopPointing: "Stop pointing",
  },
  comfort: {
    title: "Movement",
    turn: "Turning",
    snap: "Snap turn",
    smooth: "Smooth turn",
    angle: "Snap angle",
    degrees: (angle: number) => `${number(angle)}°`,
    speed: "Walking speed",
    speeds: ["Slow", "Normal", "Fast"],
    vignette: "Darken the edges while moving",
    vignettes: ["Off", "A little", "Strongly"],
    jump: "Click or tap the floor to teleport",
    letterKeys: "Shortcuts with letters and digits (W A S D, H, L, B, 1 to 6, editor)",
    raise: "Standing height in VR, while you sit",
    raised: (raiseM: number) => (raiseM === 0 ? "Off" : `+${number(raiseM * 100)} cm`),
  },
  scene: { title: (scene: string) => `${scene} · Stoa` },
  help: {
    parts: {
      keys: {
        title: "Keyboard and mouse",
        ways: [
          ["W A S D, arrows", "Walk"],
          ["Q, E, Shift + arrows", "Turn"],
          ["R, F, Page up, Page down", "Fly up and down, if the scene allows it"],
          ["Drag", "Look around"],
          ["Click", "Use objects that light up"],
          ["H", "Raise or lower your hand"],
          ["L", "Laser pointer"],
          ["1 to 6", "React"],
          ["B", "Open the editor, if you can edit"],
          ["Esc", "Close the open panel"],
          ["Tab", "Move between buttons and panels"],
        ],
      },
      touch: {
        title: "Touch",
        ways: [
          ["Round pad", "Walk"],
          ["Drag", "Look around"],
          ["Tap", "Use objects that light up"],
        ],
      },
      headset: {
        title: "Headset",
        ways: [
          ["Left stick", "Walk"],
          ["Right stick", "Turn; push forward to teleport"],
          ["Trigger, pinch", "Use what you point at"],
          ["Menu at your left hand, or B, Y", "More actions"],
        ],
      },
    },
  },
  trust,
  textView: {
    link: "Text view",
    noWebGL: "This browser can't show 3D. The text view shows the same scene as text.",
    to3D: "3D view",
    intro: "This is the scene as text. Go to people, use objects and chat. Others see you move.",
    jump: "On this page",
    you: "Your position",
    looking: (way: string) => `You are facing ${way}.`,
    compass: ["north", "northwest", "west", "southwest", "south", "southeast", "east", "northeast"],
    turnLeft: "Turn left",
    turnRight: "Turn right",
    stepAhead: "Step forward",
    stepBack: "Step back",
    steppedAhead: "You stepped forward.",
    steppedBack: "You stepped back.",
    stop: "Stop walking",
    going: (name: string) => `Walking to ${name}.`,
    following: (name: string) => `Following ${name}.`,
    arrived: (name: string) => `You are at ${name}.`,
    lost: (name: string) => `${name} is gone.`,
    stopped: "You stopped.",
    entered: (scene: string) => `You are in ${scene} now.`,
    sit: "Sit down",
    seated: (name: string) => `You're sitting on ${name}.`,
    taken: (name: string) => `${name} is taken.`,
    getUp: "Stand up",
    gotUp: "You stood up.",
    seatGone: (name: string) => `${name} is no longer a seat. You stood up.`,
    handUp: "Your hand is raised.",
    handDown: "Your hand is lowered.",
    hidden: "hidden for you",
    people: (count: number) => `Other people (${number(count)})`,
    alone: "You're the only one here.",
    far: "too far away to see",
    places: (count: number) => `Spots (${number(count)})`,
    tries: (count: number) => `Interactive objects (${number(count)})`,
    things: (count: number) => `Other objects (${number(count)})`,
    empty: "This scene has no objects yet.",
    find: "Search objects",
    notFound: "No objects found.",
    all: (count: number) => `Show all ${number(count)}`,
    goTo: "Go to",
    follow: "Follow",
    press: "Press",
    open: (address: string) => `Open ${address}`,
    travel: (place: string) => `Go to ${place}`,
    through: (scene: string) => `Go through to ${scene}`,
    answer: (title: string) => (title === "" ? "Answer" : `Answer: ${title}`),
    pressed: (name: string) => `You pressed ${name}.`,
    chosen: (button: string, name: string) => `You chose ${button} on ${name}.`,
    answered: (name: string) => `Your answer to ${name} was sent.`,
    away: (distance: string) => `${distance} m`,
    higher: (distance: string) => `${distance} m higher`,
    lower: (distance: string) => `${distance} m lower`,
    ways: {
      here: "right here",
      ahead: "ahead",
      aheadLeft: "ahead to the left",
      left: "to the left",
      behindLeft: "behind to the left",
      behind: "behind you",
      behindRight: "behind to the right",
      right: "to the right",
      aheadRight: "ahead to the right",
    },
    colors: {
      black: "black",
      white: "white",
      grey: "grey",
      red: "red",
      orange: "orange",
      yellow: "yellow",
      green: "green",
      turquoise: "turquoise",
      blue: "blue",
      purple: "purple",
      pink: "pink",
      brown: "brown",
      beige: "beige",
    },
    /** By ARENA's type names; other types get the general word. */
    types: new Map([
      ["box", "box"],
      ["sphere", "sphere"],
      ["cylinder", "cylinder"],
      ["cone", "cone"],
      ["torus", "torus"],
      ["torusKnot", "knot"],
      ["ring", "flat ring"],
      ["circle", "disc"],
      ["plane", "plane"],
      ["triangle", "triangle"],
      ["text", "text"],
      ["image", "image"],
      ["line", "line"],
      ["thickline", "line"],
      ["light", "light"],
      ["gltf-model", "model"],
      ["obj-model", "model"],
      ["urdf-model", "robot model"],
      ["pcd-model", "point cloud"],
      ["gaussian_splatting", "3D scan"],
      ["videosphere", "360° video"],
      ["arenaui-card", "card"],
      ["arenaui-prompt", "question"],
      ["arenaui-button-panel", "button panel"],
    ]),
    thing: "object",
    happens: "Activity",
    quiet: "No activity yet.",
    news: {
      came: (names: string, count: number) =>
        count === 0 ? `${names} entered.` : plural(count, { one: "# person entered.", other: "# people entered." }),
      left: (names: string, count: number) =>
        count === 0 ? `${names} left.` : plural(count, { one: "# person left.", other: "# people left." }),
      raised: (names: string, count: number) =>
        count === 0
          ? `${names} raised a hand.`
          : plural(count, { one: "# person raised a hand.", other: "# people raised a hand." }),
      added: (names: string, count: number) =>
        count === 0 ? `New: ${names}.` : plural(count, { one: "# new object.", other: "# new objects." }),
      gone: (names: string, count: number) =>
        count === 0 ? `Gone: ${names}.` : plural(count, { one: "# object is gone.", other: "# objects are gone." }),
      changed: (names: string, count: number) =>
        count === 0 ? `Changed: ${names}.` : plural(count, { one: "# object changed.", other: "# objects changed." }),
    },
  },
  hint: {
    title: "How to move",
    walkKeys: "W A S D",
    orArrows: "or arrow keys to walk",
    turnKeys: "Q or E",
    turn: "to turn",
    drag: "Drag to look around",
    click: "Click objects that light up to use them",
    pad: "Use the round pad to walk",
    tap: "Tap objects that light up to use them",
    gotIt: "Got it",
  },
  /** Texts on panels in the scene, in VR and AR. */
  inScene: {
    menu: "Menu",
    close: "Close",
    placeAgain: "Place the scene",
    place: "Look at the floor and tap to place the scene",
    keep: "Keep position",
    build: "Edit",
    stopBuilding: "Stop editing",
    keyboard: {
      letters: ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
      signs: ["1234567890", "@#&*()-+_/", "\"':;!?%"],
      beside: [",", "."] as const,
      shift: "Abc",
      toSigns: "123",
      toLetters: "abc",
      backspace: "Delete",
      space: "Space",
      send: "Send",
      close: "Close",
    },
    line: (name: string, text: string) => `${name}: ${text}`,
    knownAs: (name: string, account: string) => `${name} (${account})`,
  },
  pad: { walk: "Walk: drag in a direction" },
  people: {
    find: "Search people",
    more: (name: string) => `Options for ${name}`,
    goTo: (name: string) => `Go to ${name}`,
    hide: "Hide for me",
    showAgain: "Show again",
    hereNow: (count: number) => `People (${number(count)})`,
    handRaised: "hand raised",
    guest: "guest",
    listening: (count: number) => `Listening (${number(count)})`,
    listeningMeans: "Connected without having joined. Other people don't see them.",
    you: (role: string) => `(you, ${role})`,
    roles: { viewer: "can view", editor: "can edit", owner: "owner" },
  },
  moderate: {
    lockTitle: "Scene lock",
    isOpen: "Off: people can enter",
    isLocked: "On: nobody new can enter",
    lock: "Lock the scene",
    unlock: "Unlock the scene",
    howLong: "Duration",
    untilLifted: "Until lifted",
    decided: "Muted and removed people",
    by: (by: string) => `by ${by}, until lifted`,
    byUntil: (by: string, when: string) => `by ${by}, until ${when}`,
    lift: "Lift",
    guestOf: (name: string) => `A guest in ${name}'s browser`,
    barred: {
      silence: (name: string) => `${name} is muted in the chat`,
      out: (name: string) => `${name} can't enter`,
    },
    deeds: {
      silence: {
        name: "Mute",
        question: (name: string) => `Mute ${name}? They stay in the scene but can't write in the chat or react.`,
        yes: (name: string) => `Mute ${name}`,
      },
      kick: {
        name: "Remove",
        question: (name: string) => `Remove ${name}? They can return after a minute.`,
        yes: (name: string) => `Remove ${name}`,
      },
      ban: {
        name: "Ban",
        question: (name: string) => `Ban ${name}? They leave the scene and can't return.`,
        yes: (name: string) => `Ban ${name}`,
      },
    },
  },
  invitations: {
    title: "Invitations",
    role: "Anyone with the link",
    roles: { viewer: "can view", editor: "can edit" },
    choices: { viewer: "Can view", editor: "Can edit" },
    lasts: "Expires in",
    during: (seconds: number) =>
      seconds < 86_400
        ? plural(seconds / 3_600, { one: "# hour", other: "# hours" })
        : plural(Math.round(seconds / 86_400), { one: "# day", other: "# days" }),
    forWhom: "Can be used by",
    uses: (uses: number) => (uses === 0 ? "Any number of people" : people(uses)),
    make: "Create link",
    fresh: "New invitation link",
    once: "Copy the link now. It is shown only once.",
    used: (uses: number, most: number | null) => {
      if (uses === 0) return most === null ? "Not used yet" : `Not used yet (up to ${people(most)})`;
      return `Used by ${most === null ? people(uses) : `${number(uses)} of ${people(most)}`}`;
    },
    until: (when: string) => `Expires ${when}`,
    takeBack: "Revoke",
    reallyTakeBack: "Revoke for everyone who used it?",
    takenBack: "Invitation revoked.",
  },
  chat: {
    title: "Chat",
    log: "Messages",
    nothing: "No messages yet.",
    say: "Write a message",
    send: "Send",
  },
  edit,
  scenes,
  reasons,
  share: {
    linkToScene: "Link to this scene",
    copy: "Copy",
    qr: (address: string) => `QR code of ${address}`,
    otherDevice: "On a phone or headset",
    scan: "Scan the code with the device's camera, or type the address. The device must be on the same network.",
    trust: "Seeing a certificate warning?",
    pressToCopy: "Press Ctrl+C to copy.",
    copied: "Copied.",
    takePicture: "Use this view as thumbnail",
    pictureTaken: "Thumbnail updated.",
    noPicture: "Couldn't update the thumbnail. Try again.",
  },
  settings: {
    yourName: "Display name",
    change: "Change",
    colors: "Theme",
    themes: { auto: "Same as device", light: "Light", dark: "Dark" },
    picture: "Graphics quality",
    pictures: { auto: "Auto", fine: "High: smooth edges", fast: "Low: for slow devices" },
    pictureLater: "The new quality applies the next time you enter.",
    sceneName: "Scene name",
    badSceneName: (typed: string, instead: string) =>
      `“${typed}” can't be a scene name. Use letters a to z, digits, dots, dashes and underscores.${instead === "" ? "" : ` Try “${instead}”.`}`,
    renameScene: "Rename",
    sceneRenamed: (to: string) => `The scene is now called ${to}. Old links still work.`,
    rights: "Access",
    guestsCome: "Allow guests (people without an account)",
    everybodyLooks: "Everyone can view without an invitation",
    everybodyBuilds: "Everyone can edit without an invitation",
    peopleMax: "Maximum number of people",
    anyNumber: "No limit",
    peopleWrong: (most: number, typed: string) =>
      `${typed === "" ? "That" : `“${typed}”`} isn't a number of people. Enter 1 to ${number(most)}, or nothing for no limit.`,
    saved: "Saved. The change applies immediately.",
    voice: "Voice",
    peopleTalk: "People can talk to each other",
    voiceSaved: "Saved. People who are here now, including you, get it when they reload the page.",
    empty: "Delete all objects",
    reallyEmpty: "Delete every object in this scene?",
    wasEmptied: "All objects were deleted.",
    /** For the lobby and the sandbox, which get their original objects back. */
    reset: "Reset the scene",
    reallyReset: "Delete all changes and restore the original objects?",
    wasReset: "The scene was reset.",
    leave: "Leave the scene",
  },
};

/** The texts that a language has to provide. */
export type Texts = typeof english;

/** The available languages by tag (BCP 47); the first is the fallback. */
const LANGUAGES: readonly (readonly [tag: string, texts: Texts])[] = [["en", english]];

/** The first available language among the user's; `de` also serves `de-AT`. */
export function languageFor(
  wanted: readonly string[],
  there: readonly string[] = LANGUAGES.map(([tag]) => tag),
): string {
  const bases = wanted.flatMap((tag) => [tag.toLowerCase(), tag.toLowerCase().split("-")[0] ?? ""]);
  const found = bases.map((base) => there.find((tag) => tag.toLowerCase() === base)).find((tag) => tag !== undefined);
  return found ?? there[0] ?? "en";
}

/** The browser's languages; empty outside a browser, as in tests. */
const wanted: readonly string[] = typeof navigator === "undefined" ? [] : (navigator.languages ?? [navigator.language]);

/** The language of the page, its `lang`. */
export const language: string = languageFor(wanted);

/** The texts in the page's language. */
export const texts: Texts = LANGUAGES.find(([tag]) => tag === language)?.[1] ?? english;

const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const moments = new Intl.DateTimeFormat(variantOf(language, wanted), { dateStyle: "medium", timeStyle: "short" });
const lists = new Intl.ListFormat(language, { type: "conjunction" });

/** The first of the user's regional variants of a language, such as `en-GB`; the language itself without one. */
export function variantOf(language: string, preferred: readonly string[]): string {
  return preferred.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
}

/** A list in the page's language. */
export function listed(several: readonly string[]): string {
  return lists.format(several);
}

/** Names of attributes for people. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["position", "the position"],
  ["rotation", "the rotation"],
  ["scale", "the size"],
  ["color", "the colour"],
  ["material", "the colour"],
  ["value", "the text"],
  ["url", "the file"],
  ["src", "the image"],
  ["parent", "the parent"],
]);

/** Names of attributes, at most three. */
function attributeNames(keys: readonly string[]): string {
  const names = [...new Set(keys.map((key) => ATTRIBUTES.get(key) ?? key))];
  if (names.length === 0) return "something";
  return names.length > 3 ? plural(names.length, { other: "# properties" }) : listed(names);
}

function objects(count: number): string {
  return plural(count, { one: "# object", other: "# objects" });
}

function people(count: number): string {
  return plural(count, { one: "# person", other: "# people" });
}

/** A number in the page's language, with at most two decimals. */
export function number(value: number): string {
  return numbers.format(value);
}

/** A date and time in the page's language. */
export function moment(at: Date): string {
  return moments.format(at);
}
