/**
 * Patches the KTX2 transcoder for the realm's Content Security Policy. The original compiles functions from text at
 * start. The policy, without `'unsafe-eval'`, forbids that in workers too. Two replacement functions do the same work.
 */
import address from "three/examples/jsm/libs/basis/basis_transcoder.js?url";
import { AssetError } from "./asset-error.ts";

/** Transcoder source → replacement. The browser tests fail for a three.js version without these fragments. */
const REPLACEMENTS: readonly (readonly [before: string, after: string])[] = [
  [
    "newFunc(Function,args)(...closureArgs)",
    "stoaInvoker(argTypes,isClassMethodFunc,needsDestructorStack,returns,cppInvokerFunc,cppTargetFunc,runDestructors)",
  ],
  ["newFunc(Function,params)(...args)", "stoaCaller(types,retType,kind,emval_returnValue)"],
];

/** Runs in the worker: calls into WebAssembly and converts arguments and results by their types. */
const FUNCTIONS = `
function stoaInvoker(types, hasThis, needsStack, returns, invoker, target, runDestructors) {
  const first = hasThis ? 1 : 2;
  return function (...given) {
    const stack = needsStack ? [] : null;
    const values = hasThis ? [this, ...given] : given;
    const wired = values.map((value, at) => types[at + first].toWireType(stack, value));
    const result = invoker(target, ...wired);
    if (needsStack) runDestructors(stack);
    else wired.forEach((value, at) => types[at + first].destructorFunction?.(value));
    return returns ? types[0].fromWireType(result) : undefined;
  };
}
function stoaCaller(types, returnType, kind, returnValue) {
  return function (object, func, destructors, pointer) {
    let at = pointer;
    const values = types.map((type) => {
      const value = type.readValueFromPointer(at);
      at += type.argPackAdvance;
      return value;
    });
    const result = kind === 1 ? new func(...values) : func.apply(kind === 0 ? object : values.shift(), values);
    return returnType.isVoid ? undefined : returnValue(returnType, destructors, result);
  };
}
`;

/** A `blob:` URL of the patched script. Errors: {@link AssetError} `unreachable`. */
export async function basisScript(): Promise<string> {
  const response = await fetch(address).catch(() => null);
  if (response?.ok !== true) throw new AssetError("unreachable", address);
  let script = await response.text();
  for (const [before, after] of REPLACEMENTS) script = script.replace(before, () => after);
  return URL.createObjectURL(new Blob([script, FUNCTIONS], { type: "text/javascript" }));
}
