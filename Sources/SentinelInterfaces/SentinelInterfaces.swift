// SPDX-License-Identifier: MIT

// The interfaces of Sentinel in Swift, made of `Introspection/*.xml` when the package is built.
//
// For an interface `org.sentinel.Example1` there are:
//
// - `Example1`: its name and introspection data, the places of its properties, and each of its signals as a type;
// - `Example1Handler`: the protocol of what implements it, with typed arguments and replies;
// - `Example1Implementation`: what hands the calls on the bus to such a handler;
// - `Example1Proxy`: what calls it from elsewhere.
//
// Structures that the interfaces share are types of their own, named by the annotation `org.sentinel.Structure`. The
// documentation of all of it is that of the XML files, which are the place to change anything.
