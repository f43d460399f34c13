# Puts the kernel sources into the library, as a table of names and texts (host/backend/opencl/source.h).
#
# Included, it defines clcable_embed_kernels(TARGET FOLDER). Run as a script, with FILES (joined by |) and OUTPUT, it
# writes the table. Texts are byte arrays: C promises string literals of no more than 4095 bytes.

if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" files "${FILES}")
  set(arrays "")
  set(table "")
  set(index 0)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char text_${index}[] = { /* ${name} */\n${bytes}0x00};\n")
    string(APPEND table "    {\"${name}\", (const char *)text_${index}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE ${OUTPUT} "/* Made from kernels/ by cmake/EmbedKernels.cmake. */\n"
       "#include \"backend/opencl/source.h\"\n\n${arrays}\n"
       "const cab_kernel_source cab_kernel_sources[] = {\n${table}};\n"
       "const int cab_kernel_source_count = ${index};\n")
  return()
endif()

set(CLCABLE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(clcable_embed_kernels target folder)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cl ${folder}/*.h)
  string(REPLACE ";" "|" joined "${files}")
  set(output ${PROJECT_BINARY_DIR}/generated/kernel_sources.c)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${joined}" -DOUTPUT=${output} -P ${CLCABLE_EMBED_SCRIPT}
    DEPENDS ${files} ${CLCABLE_EMBED_SCRIPT}
    COMMENT "Embedding kernels" VERBATIM)
  # Rules reach only targets of this folder, so the library depends on a target that has the file made.
  add_custom_target(clcable_kernel_sources DEPENDS ${output})
  add_dependencies(${target} clcable_kernel_sources)
  set_source_files_properties(${output} TARGET_DIRECTORY ${target} PROPERTIES GENERATED TRUE)
  target_sources(${target} PRIVATE ${output})
endfunction()
