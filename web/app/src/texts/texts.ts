/**
 * All texts of the pages, by element; no other module contains any. Another language is another value of `Texts`.
 * Variable parts are parameters, so that each language can order them.
 */
import { PASSWORD_BYTES_MIN } from "../limits.ts";
import { edit } from "./texts-edit.ts";
import { reasons } from "./texts-reasons.ts";
import { scenes } from "./texts-scenes.ts";
import { trust } from "./texts-trust.ts";

const english = {
  /** Texts that several elements share. */
  shared: {
    product: "Stoa",
    allScenes: "All scenes",
    close: "Close",
    cancel: "Cancel",
    nameOthersSee: "The name others see",
    nameExample: "For example: Ada",
    signIn: "Sign in",
    accountName: "Account name",
    password: "Password",
    units: ["bytes", "kB", "MB", "GB"],
    size: (value: string, unit: string) => `${value} ${unit}`,
  },
  loading: {
    progress: (loaded: number, all: number) => `Loading: ${number(loaded)} of ${number(all)}`,
    broken: (count: number) => (count === 1 ? "One thing can't be shown" : `${number(count)} things can't be shown`),
    why: (file: string, reason: string) => `${file}: ${reason}`,
    reasons: {
      missing: "there is no such file",
      "no-address": "that is no address of a file",
      "not-allowed": "you may not read it",
      unreachable: "its server doesn't answer",
      "too-large": "it is too large",
      unreadable: "it is damaged, or of an unknown kind",
    },
    forget: "Don't show this",
  },
  renewed: {
    said: "The realm has new pages. Some things here work again only with them.",
    load: "Load them",
    later: "Later",
  },
  missing: {
    said: "There is no such page.",
    home: "See the scenes of this realm",
  },
  home: {
    title: "Shared spaces of this realm",
    intro: "Pick a scene, walk in, and build with whoever is there.",
    yourName: "Your name",
    scenes: "Scenes",
    looking: "Looking …",
    none: "There is no scene that you may enter. Sign in to see more.",
    enter: "Enter",
    asGuest: "as guest",
    noOwner: "Nobody owns this realm yet: open the owner link that it printed when it started.",
    newScene: "A new scene",
    newName: (account: string) => `Its name, after ${account}/`,
    newNameAnywhere: (account: string) => `Its name, after ${account}/, or with public/ before it`,
    newExample: "atelier",
    private: "Only I and those whom I invite may enter",
    find: "Find a scene",
    noneFound: "No scene is called so.",
    locked: " · the door is locked",
    who: (names: readonly string[], more: number) =>
      more > 0 ? `${names.join(", ")} and ${number(more)} more` : names.join(", "),
    remove: "Remove",
    reallyRemove: "Really remove it and all in it",
    create: "Create",
    notListed: (reason: string) => `The scenes can't be listed: ${reason}`,
    badName: "A scene's name is namespace/name, of letters, digits, dots, dashes and underscores.",
    taken: (scene: string) => `There is a scene ${scene} already.`,
    roles: { viewer: "you may look around", editor: "you may build", owner: "it is yours" },
    inside: (people: number) => {
      if (people === 0) return "empty now";
      return people === 1 ? "one person inside" : `${number(people)} people inside`;
    },
  },
  signIn: {
    signedInAs: "Signed in as",
    realmOwner: ", owner of this realm",
    signOut: "Sign out",
    wrong: "That name and password do not go together.",
    forgotten: {
      open: "Password forgotten? The owner of this realm can make a link that sets a new one.",
      invited:
        "No account yet? An invitation to a scene lets you make one. Password forgotten? Ask the owner of this realm.",
      closed: "The owner of this realm makes accounts, and links that set a new password.",
    },
  },
  join: {
    title: "Make an account",
    make: "Make the account",
    nameRule: "Letters from a to z, digits, dots, dashes and underscores; no blanks.",
    badName: (typed: string, instead: string) =>
      `“${typed}” can't be the name of an account.${instead === "" ? "" : ` “${instead}” can.`} The name that the others see is another: it may be as you like.`,
  },
  account: {
    files: "Your files",
    filesText: "What you have uploaded, for all scenes.",
    seeFiles: "See and remove all your files",
    title: "Your account",
    you: "You",
    welcome: (name: string) => `Welcome, ${name}. You are signed in.`,
    voided: "This link is no longer good",
    voidedText: "It was used, or it has ended. Ask whoever gave it to you for a new one.",
    newPassword: "A new password",
    setPassword: "Set the password",
    oldPassword: "The password until now",
    changePassword: "Change the password",
    changed: "The password is changed. You are signed in.",
    wrongPassword: "That is not the password of this account.",
    endsOthers: "All other browsers and programs are signed out by it.",
    links: "Links to accounts",
    linksText: "This realm sends no mail: a link goes by hand. It works once, for two days.",
    linkFor: "The link is for",
    somebodyNew: "somebody without an account",
    passwordOf: (name: string) => `a new password of ${name}`,
    makeLink: "Make the link",
    freshLink: "Give this link to nobody else",
    linkMade: (until: string) => `The link is good until ${until}.`,
    delete: "Delete my account",
    deleteText: "The account goes at once, for good. Nobody else can take its name.",
    noScenes: "It has no scenes of its own.",
    scenesGo: "These scenes go with it, with all that is in them:",
    filesStay: (count: number) =>
      count === 1
        ? "One file that you have uploaded stays, since other scenes may show it."
        : `${number(count)} files that you have uploaded stay, since other scenes may show them.`,
    lastOwner: "A realm keeps its last owner: make another account an owner first.",
    understood: "I have understood",
    deleted: "Your account is gone.",
  },
  owner: {
    title: "Become the owner of this realm",
    welcome: "Welcome",
    yours: (name: string) => `This realm is yours, ${name}.`,
    seeScenes: "See its scenes",
    noSecret:
      "This page needs the whole link that the realm printed when it started, with everything after the #. Starting the realm again prints a new one.",
    intro: "Choose the name and password of the first account. It may do everything here.",
    passwordRule: `Password, at least ${PASSWORD_BYTES_MIN} characters`,
    again: "The password again",
    become: "Become the owner",
    differ: "The two passwords differ.",
    used: "This link was used: the realm has an owner. Sign in on the first page if that is you.",
    voided: "This link is wrong, expired or used. While the realm has no owner, each start of it prints a new one.",
  },
  enter: {
    title: (scene: string) => `Enter ${scene}`,
    asGuest: "Enter as guest",
    haveAccount: "You have an account, or want one?",
    invited: "You were invited. Give yourself a name, and come in.",
  },
  refused: {
    haveAccount: "Come in with an account",
    backIn: (seconds: number) => `Come back in ${wait(seconds)}`,
    kinds: {
      not_found: {
        title: "There is no such scene here",
        text: (scene: string) =>
          `Nothing is called ${scene}, or it is open to some people only. If somebody gave you this address, ask them for an invitation.`,
      },
      not_allowed: {
        title: "You may not enter this scene",
        text: (scene: string) => `${scene} is not open to you. Its owner can invite you, or put you on its list.`,
      },
      account_needed: {
        title: "This scene wants an account",
        text: (scene: string) => `No guests come to ${scene}. Sign in, and the invitation counts for your account.`,
      },
      put_out: {
        title: "You were put out",
        text: (scene: string) => `Somebody who moderates ${scene} has put you out. You can ask them to take it back.`,
      },
      locked: {
        title: "The door is locked",
        text: (scene: string) =>
          `Whoever moderates ${scene} lets nobody in just now. Ask somebody inside, or try again later.`,
      },
      full: {
        title: "This scene is full",
        text: (scene: string) => `As many people as may are in ${scene}. Try again when somebody has left.`,
      },
      restarting: {
        title: "The realm is restarting",
        text: () => "You come in by yourself as soon as it is back.",
      },
      away: {
        title: "The realm does not answer",
        text: () => "It may be restarting, or your network is away. You come in by yourself as soon as it is back.",
      },
      link_expired: {
        title: "This invitation has ended",
        text: (scene: string) =>
          `It was good for a time, and that is over. Ask whoever invited you to ${scene} for a new one.`,
      },
      link_revoked: {
        title: "This invitation was taken back",
        text: (scene: string) => `The owner of ${scene} has taken it back. Ask them for a new one.`,
      },
      link_used_up: {
        title: "This invitation is used up",
        text: (scene: string) =>
          `As many people as may have used it. Ask whoever invited you to ${scene} for a new one.`,
      },
      link_unknown: {
        title: "This is no invitation",
        text: () =>
          "The link is incomplete, of another realm, or ended long ago. Ask whoever gave it to you for the whole link.",
      },
      refused: {
        title: "You can't be here",
        text: (scene: string) => `The realm does not let you into ${scene}.`,
      },
    },
  },
  overlay: {
    panels: {
      people: "People",
      chat: "Chat",
      reactions: "React",
      edit: "Edit",
      places: "Places",
      share: "Share",
      settings: "Settings",
      help: "Help",
      history: "History",
    },
    more: "More",
    loading: "Loading …",
    notLoaded: (panel: string) => `${panel} can't be loaded now. Is the realm away?`,
    scene: "Scene",
    toolbar: "Panels",
    walkByTouch: "Walk by touch",
    refused: (about: string, reason: string) => `The realm refused that${about}: ${reason}`,
  },
  places: {
    none: "This scene has no named places yet.",
    goTo: (place: string) => `Go to ${place}`,
    credits: "Made by",
  },
  status: {
    connecting: "Connecting",
    connected: "Connected",
    silent: "Nothing comes through just now. Is your network away?",
    reconnecting: "Reconnecting",
    refused: "You can't be here",
    closed: "You left the scene",
    tryAgain: "Try again",
  },
  undo: {
    title: "Undo and redo",
    undo: "Undo",
    redo: "Redo",
    done: { undo: "Undone.", redo: "Done again." },
    somebody: "Somebody else",
    changed: (what: string, who: string, keys: readonly string[]) =>
      `${who} changed ${attributeNames(keys)} of ${what} since: left as it is.`,
    left: {
      gone: (what: string) => `${what} is gone: somebody else removed it.`,
      carries: (what: string) => `Something hangs on ${what} now: left as it is.`,
      there: (what: string) => `There is another ${what} by now: left as it is.`,
      hangs: (what: string) => `What ${what} hung on is gone: it stays away.`,
    },
  },
  history: {
    realm: "The realm",
    firstScenes: "The realm, when it was set up",
    guest: (name: string) => `${name} (guest)`,
    kept: (days: number, mib: number) =>
      `Changes are kept for ${number(days)} days, as long as those of all scenes fit into ${mib >= 1_024 ? `${number(mib / 1_024)} GiB` : `${number(mib)} MiB`}.`,
    oldest: (when: string) => `The oldest one here: ${when}.`,
    by: "By",
    of: "Of",
    everybody: "everybody",
    everything: "everything",
    none: "Nothing was changed here.",
    newer: "Show what changed meanwhile",
    older: "Show older changes",
    undoHour: (name: string) => `Undo what ${name} did in the last hour`,
    made: (what: string) => `made ${what}`,
    deleted: (what: string, more: number) => {
      if (more === 0) return `deleted ${what}`;
      return more === 1 ? `deleted ${what} and what hung on it` : `deleted ${what} and ${number(more)} that hung on it`;
    },
    changed: (what: string, keys: readonly string[], shown?: readonly [string, string]) =>
      `changed ${attributeNames(keys)} of ${what}${shown === undefined ? "" : `: ${shown[0]} → ${shown[1]}`}`,
    asOn: (what: string) => (what === "" ? "The whole scene as on" : `${what} as on`),
    preview: "Show what would change",
    toHere: "Back to here",
    sceneToLabel: (when: string) => `Back to here: the whole scene as on ${when}`,
    sceneTo: (when: string) => `Bring the whole scene back to how it was on ${when}?`,
    asHere: "As here",
    objectTo: (what: string, when: string) => `Bring ${what} back to how it was on ${when}`,
    bringBack: "Bring back",
    back: (what: string) => `Bring back ${what}`,
    asHereLabel: (what: string, when: string) => `As here: ${what} as on ${when}`,
    would: ({ created, changed, removed }: { created: number; changed: number; removed: number }) => {
      const parts = [
        created > 0 ? `${things(created)} ${created === 1 ? "comes" : "come"} back` : "",
        changed > 0 ? `${things(changed)} ${changed === 1 ? "changes" : "change"}` : "",
        removed > 0 ? `${things(removed)} ${removed === 1 ? "goes" : "go"}` : "",
      ];
      return `${parts.filter((part) => part !== "").join(", ")}. Everybody in the scene sees it, and it can be taken back from here too.`;
    },
    stays: (left: number) =>
      `Of ${things(left)} something stays as it is, because others have changed it since, or hung something on it.`,
    noChange: "Nothing would change.",
    doIt: "Do it",
    cancel: "Cancel",
    done: (count: number) => `Done: ${things(count)}.`,
  },
  ask: {
    title: "A question",
    answer: "Your answer",
    send: "Send",
    cancel: "Cancel",
    leaveTitle: "Leave this realm?",
    leads: "What you pressed leads to another address:",
    leave: "Open it",
  },
  looks: {
    title: "How others see you",
    color: "Your colour",
    colors: ["Red", "Ochre", "Olive", "Green", "Teal", "Blue", "Violet", "Pink"],
    body: "Body",
    full: "With arms and legs",
    half: "Head and trunk",
    model: "A model of your own",
    modelExample: "/store/users/ada/avatars/me.vrm",
    use: "Use",
    upload: "Or upload one (.vrm or .glb)",
    sending: "Sending …",
    trying: "Trying it on …",
    worn: "Others see you with it now.",
    notSent: (why: string) => `It couldn't be sent. ${why}`,
    notHere: "A model is a .vrm, .glb or .gltf file of this realm: its address begins with /store/.",
    refusals: {
      away: () => "There is no such file.",
      bytes: (found: number, limit: number) =>
        `It has ${number(found)} MB; at most ${number(limit)} MB are shown to others.`,
      triangles: (found: number, limit: number) =>
        `It has ${number(found)} triangles; at most ${number(limit)} are shown to others.`,
      broken: () => "It can't be read as a model.",
    },
  },
  react: {
    shapes: "Show over your head",
    names: {
      heart: "Heart",
      thumb: "Thumb up",
      clap: "Applause",
      laugh: "Laugh",
      star: "Star",
      question: "Question",
    },
    raise: "Raise your hand",
    lower: "Lower your hand",
    point: "Point at things",
    stopPointing: "Stop pointing",
  },
  comfort: {
    title: "Moving",
    turn: "Turning",
    snap: "In steps",
    smooth: "Smoothly",
    angle: "One step",
    degrees: (angle: number) => `${number(angle)}°`,
    speed: "Walking",
    speeds: ["Slowly", "As usual", "Quickly"],
    vignette: "Darker rim while moving",
    vignettes: ["Off", "Some", "Strong"],
    jump: "A click or tap on the floor takes you there",
    letterKeys: "Letters and digits are shortcuts (W A S D, H, L, B, 1 to 6, those of the editor)",
    raise: "Taller in VR, for sitting at home",
    raised: (raiseM: number) => (raiseM === 0 ? "Off" : `${number(raiseM * 100)} cm`),
  },
  scene: { title: (scene: string) => `${scene} · Stoa` },
  help: {
    parts: {
      keys: {
        title: "Keys and mouse",
        ways: [
          ["W A S D, arrows", "Walk"],
          ["Q, E, Shift with arrows", "Turn"],
          ["R, F, Page up, Page down", "Rise and sink, where the scene lets you fly"],
          ["Drag", "Look around"],
          ["Click", "Press what lights up"],
          ["H", "Raise and lower your hand"],
          ["L", "Show others where you point"],
          ["1 to 6", "React"],
          ["B", "Build, where you may"],
          ["Esc", "Close what is open"],
          ["Tab", "Go through buttons and panels"],
        ],
      },
      touch: {
        title: "Touch",
        ways: [
          ["Round pad", "Walk"],
          ["Drag", "Look around"],
          ["Tap", "Press things"],
        ],
      },
      headset: {
        title: "Headset",
        ways: [
          ["Left stick", "Walk"],
          ["Right stick", "Turn; forward: jump to where you point"],
          ["Trigger, pinch", "Press what you point at"],
          ["Menu at your left hand, or B, Y", "What else you can do"],
        ],
      },
    },
  },
  trust,
  textView: {
    link: "Text view",
    noWebGL: "This browser cannot draw the scene in 3D. The text view shows the same scene in words.",
    to3D: "3D view",
    intro: "The same scene in words: go to people and things, try them, talk. The others see you come.",
    jump: "On this page",
    you: "Where you are",
    looking: (way: string) => `You look ${way}.`,
    compass: ["north", "northwest", "west", "southwest", "south", "southeast", "east", "northeast"],
    turnLeft: "Turn left",
    turnRight: "Turn right",
    stepAhead: "Step ahead",
    stepBack: "Step back",
    steppedAhead: "You are a step ahead.",
    steppedBack: "You are a step back.",
    stop: "Stand still",
    going: (name: string) => `You go to ${name}.`,
    following: (name: string) => `You follow ${name}.`,
    arrived: (name: string) => `You are at ${name}.`,
    lost: (name: string) => `${name} is gone.`,
    stopped: "You stand still.",
    entered: (scene: string) => `You are in ${scene} now.`,
    sit: "Sit down",
    seated: (name: string) => `You sit on ${name}.`,
    taken: (name: string) => `${name} is taken.`,
    getUp: "Get up",
    gotUp: "You stand up.",
    seatGone: (name: string) => `Nobody can sit on ${name} any more. You stand up.`,
    handUp: "Your hand is up.",
    handDown: "Your hand is down.",
    hidden: "hidden for you",
    people: (count: number) => `People (${number(count)})`,
    alone: "Nobody else is here.",
    far: "too far to see",
    places: (count: number) => `Places (${number(count)})`,
    tries: (count: number) => `Things to try (${number(count)})`,
    things: (count: number) => `Other things (${number(count)})`,
    empty: "There is nothing in this scene yet.",
    find: "Find a thing",
    notFound: "No thing has that in its name.",
    all: (count: number) => `Show all ${number(count)}`,
    goTo: "Go to",
    follow: "Follow",
    press: "Press",
    open: (address: string) => `Open ${address}`,
    travel: (place: string) => `Go to ${place}`,
    through: (scene: string) => `Go through to ${scene}`,
    answer: (title: string) => (title === "" ? "Answer" : `Answer: ${title}`),
    pressed: (name: string) => `You pressed ${name}.`,
    chosen: (button: string, name: string) => `You chose ${button} at ${name}.`,
    answered: (name: string) => `Your answer to ${name} is sent.`,
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
      ["torus", "ring"],
      ["torusKnot", "knot"],
      ["ring", "flat ring"],
      ["circle", "disc"],
      ["plane", "plane"],
      ["triangle", "triangle"],
      ["text", "text"],
      ["image", "picture"],
      ["line", "line"],
      ["thickline", "line"],
      ["light", "light"],
      ["gltf-model", "model"],
      ["obj-model", "model"],
      ["urdf-model", "robot model"],
      ["pcd-model", "point cloud"],
      ["gaussian_splatting", "scanned model"],
      ["videosphere", "video all around"],
      ["arenaui-card", "card"],
      ["arenaui-prompt", "question"],
      ["arenaui-button-panel", "buttons"],
    ]),
    thing: "thing",
    happens: "What happens",
    quiet: "Nothing has happened yet.",
    news: {
      came: (names: string, count: number) => (count === 0 ? `${names} came in.` : `${number(count)} people came in.`),
      left: (names: string, count: number) => (count === 0 ? `${names} left.` : `${number(count)} people left.`),
      raised: (names: string, count: number) =>
        count === 0 ? `${names} raised a hand.` : `${number(count)} people raised a hand.`,
      added: (names: string, count: number) => (count === 0 ? `New: ${names}.` : `${number(count)} new things.`),
      gone: (names: string, count: number) => (count === 0 ? `Gone: ${names}.` : `${number(count)} things are gone.`),
      changed: (names: string, count: number) =>
        count === 0 ? `Changed: ${names}.` : `${number(count)} things changed.`,
    },
  },
  hint: {
    title: "How to move",
    walkKeys: "W A S D",
    orArrows: "or arrow keys walk",
    turnKeys: "Q E",
    turn: "turn",
    drag: "Drag to look around",
    click: "Click what lights up",
    pad: "The round pad walks",
    tap: "Tap things to try them",
    gotIt: "Got it",
  },
  /** Texts on panels in the scene, in VR and AR. */
  inScene: {
    menu: "Menu",
    close: "Close",
    placeAgain: "Place the scene",
    place: "Look at the floor and tap to place the scene",
    keep: "Leave it where it is",
    build: "Build",
    stopBuilding: "Stop building",
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
  pad: { walk: "Walk: drag in the direction" },
  people: {
    find: "Find",
    more: (name: string) => `What to do about ${name}`,
    goTo: "Go to",
    hide: "Hide for me",
    showAgain: "Show again",
    hereNow: (count: number) => `Here now: ${number(count)}`,
    handRaised: "raised a hand",
    you: (role: string) => `(you, ${role})`,
    roles: { viewer: "looking around", editor: "may build", owner: "owner" },
  },
  moderate: {
    isOpen: "The door is open",
    isLocked: "The door is locked",
    lock: "Lock the door",
    unlock: "Unlock the door",
    howLong: "For how long",
    untilLifted: "until it is taken back",
    decided: "Decided about people",
    byUntil: (by: string, until: string) => `by ${by}, until: ${until}`,
    lift: "Take back",
    barred: {
      silence: (name: string) => `${name} is silent in the chat`,
      out: (name: string) => `${name} is put out`,
    },
    deeds: {
      silence: {
        name: "Silence",
        question: (name: string) => `Nothing that ${name} writes will stand in the chat. They stay in the scene.`,
        yes: "Silence them",
      },
      kick: {
        name: "Put out",
        question: (name: string) => `${name} is put out of the scene, and may come back after a minute.`,
        yes: "Put them out",
      },
      ban: {
        name: "Ban",
        question: (name: string) => `${name} is put out of the scene, and may not come back.`,
        yes: "Ban them",
      },
    },
  },
  invitations: {
    title: "Invitations",
    role: "Who comes by it",
    roles: { viewer: "may look around", editor: "may build" },
    lasts: "Good for",
    during: (seconds: number) => {
      if (seconds < 86_400) return seconds === 3_600 ? "an hour" : `${number(seconds / 3_600)} hours`;
      const days = Math.round(seconds / 86_400);
      return days === 1 ? "a day" : `${number(days)} days`;
    },
    forWhom: "For",
    uses: (uses: number) => {
      if (uses === 0) return "everybody who has it";
      return uses === 1 ? "one person" : `${number(uses)} people`;
    },
    make: "Make a link",
    fresh: "The new link",
    once: "Copy it now: it is shown once.",
    used: (uses: number, most: number | null) =>
      most === null ? `used by ${number(uses)}` : `used by ${number(uses)} of ${number(most)}`,
    until: (when: string) => `until ${when}`,
    takeBack: "Take back",
    reallyTakeBack: "Really: who came by it goes",
    takenBack: "The invitation is taken back.",
  },
  chat: {
    title: "Chat",
    log: "What was said",
    nothing: "Nothing was said yet.",
    say: "Say something",
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
    scan: "Point its camera at the code, or type the address. It has to be in the same network.",
    trust: "It warns of the certificate? Trust this realm once.",
    pressToCopy: "Press Ctrl+C to copy.",
    copied: "Copied.",
    takePicture: "Take a picture for the list of scenes",
    pictureTaken: "The list of scenes shows what you see now.",
    noPicture: "No picture could be taken.",
  },
  settings: {
    yourName: "Your name",
    change: "Change",
    colors: "Colours",
    themes: { auto: "As the device", light: "Light", dark: "Dark" },
    picture: "Picture",
    pictures: { auto: "As the device can", fine: "Fine: smooth edges", fast: "Fast: for weak machines" },
    pictureLater: "The picture changes when you enter the next time.",
    sceneName: "Name of the scene",
    badSceneName: (typed: string, instead: string) =>
      `“${typed}” can't be the name of a scene: that has letters from a to z, digits, dots, dashes and underscores, and no blanks.${instead === "" ? "" : ` “${instead}” can.`}`,
    renameScene: "Rename",
    sceneRenamed: (to: string) => `The scene is called ${to} now. Old links lead there.`,
    rights: "Who may come and build",
    everybodyLooks: "Everybody may look",
    guestsCome: "Guests may come",
    everybodyBuilds: "Everybody may build",
    peopleMax: "People at one time, at most",
    anyNumber: "any number",
    peopleWrong: (most: number, typed: string) =>
      `${typed === "" ? "That" : typed} is no number of people: from 1 to ${number(most)}, or nothing for any number.`,
    saved: "Saved. Who is inside notices when they come back.",
    reset: "Reset the scene",
    reallyReset: "Really remove everything in it",
    wasReset: "The scene is as it was at first.",
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
const moments = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

const lists = new Intl.ListFormat(language, { type: "conjunction" });

/** A list in the page's language. */
export function listed(several: readonly string[]): string {
  return lists.format(several);
}

/** Names of attributes for people. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["position", "the place"],
  ["rotation", "the direction"],
  ["scale", "the size"],
  ["color", "the colour"],
  ["material", "the colour"],
  ["value", "the text"],
  ["url", "the file"],
  ["src", "the picture"],
  ["parent", "what it hangs on"],
]);

/** Names of attributes, at most three. */
function attributeNames(keys: readonly string[]): string {
  const names = [...new Set(keys.map((key) => ATTRIBUTES.get(key) ?? key))];
  if (names.length === 0) return "something";
  if (names.length > 3) return `${number(names.length)} things`;
  return names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function things(count: number): string {
  return count === 1 ? "1 object" : `${number(count)} objects`;
}

/** A waiting time, rounded up. */
function wait(seconds: number): string {
  if (seconds < 120) return `${number(seconds)} s`;
  if (seconds < 7_200) return `${number(Math.ceil(seconds / 60))} minutes`;
  return seconds < 172_800
    ? `${number(Math.ceil(seconds / 3_600))} hours`
    : `${number(Math.ceil(seconds / 86_400))} days`;
}

/** A number in the page's language, with at most two decimals. */
export function number(value: number): string {
  return numbers.format(value);
}

/** A date and time in the page's language. */
export function moment(at: Date): string {
  return moments.format(at);
}
