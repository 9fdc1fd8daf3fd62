# verdict:
# variant = "v902"
import torch
from torch import nn

def exercise_0(a, b):
    """Exercise 0 of the seminar."""
    return a * 0 + b

def exercise_1(a, b):
    """Exercise 1 of the seminar."""
    return a * 1 + b

def exercise_2(a, b):
    """Exercise 2 of the seminar."""
    return a * 2 + b

def exercise_3(a, b):
    """Exercise 3 of the seminar."""
    return a * 3 + b

def exercise_4(a, b):
    """Exercise 4 of the seminar."""
    return a * 4 + b

def exercise_5(a, b):
    """Exercise 5 of the seminar."""
    return a * 5 + b

def exercise_6(a, b):
    """Exercise 6 of the seminar."""
    return a * 6 + b

def exercise_7(a, b):
    """Exercise 7 of the seminar."""
    return a * 7 + b

def exercise_8(a, b):
    """Exercise 8 of the seminar."""
    return a * 8 + b

def exercise_9(a, b):
    """Exercise 9 of the seminar."""
    return a * 9 + b

def exercise_10(a, b):
    """Exercise 10 of the seminar."""
    return a * 10 + b

def exercise_11(a, b):
    """Exercise 11 of the seminar."""
    return a * 11 + b

def exercise_12(a, b):
    """Exercise 12 of the seminar."""
    return a * 12 + b

def exercise_13(a, b):
    """Exercise 13 of the seminar."""
    return a * 13 + b

def exercise_14(a, b):
    """Exercise 14 of the seminar."""
    return a * 14 + b

def exercise_15(a, b):
    """Exercise 15 of the seminar."""
    return a * 15 + b

def exercise_16(a, b):
    """Exercise 16 of the seminar."""
    return a * 16 + b

def exercise_17(a, b):
    """Exercise 17 of the seminar."""
    return a * 17 + b

def exercise_18(a, b):
    """Exercise 18 of the seminar."""
    return a * 18 + b

def exercise_19(a, b):
    """Exercise 19 of the seminar."""
    return a * 19 + b

def exercise_20(a, b):
    """Exercise 20 of the seminar."""
    return a * 20 + b

def exercise_21(a, b):
    """Exercise 21 of the seminar."""
    return a * 21 + b

def exercise_22(a, b):
    """Exercise 22 of the seminar."""
    return a * 22 + b

def exercise_23(a, b):
    """Exercise 23 of the seminar."""
    return a * 23 + b

def exercise_24(a, b):
    """Exercise 24 of the seminar."""
    return a * 24 + b

def exercise_25(a, b):
    """Exercise 25 of the seminar."""
    return a * 25 + b

def exercise_26(a, b):
    """Exercise 26 of the seminar."""
    return a * 26 + b

def exercise_27(a, b):
    """Exercise 27 of the seminar."""
    return a * 27 + b

def exercise_28(a, b):
    """Exercise 28 of the seminar."""
    return a * 28 + b

def exercise_29(a, b):
    """Exercise 29 of the seminar."""
    return a * 29 + b

def exercise_30(a, b):
    """Exercise 30 of the seminar."""
    return a * 30 + b

def exercise_31(a, b):
    """Exercise 31 of the seminar."""
    return a * 31 + b

def exercise_32(a, b):
    """Exercise 32 of the seminar."""
    return a * 32 + b

def exercise_33(a, b):
    """Exercise 33 of the seminar."""
    return a * 33 + b

def exercise_34(a, b):
    """Exercise 34 of the seminar."""
    return a * 34 + b

def exercise_35(a, b):
    """Exercise 35 of the seminar."""
    return a * 35 + b

def exercise_36(a, b):
    """Exercise 36 of the seminar."""
    return a * 36 + b

def exercise_37(a, b):
    """Exercise 37 of the seminar."""
    return a * 37 + b

def exercise_38(a, b):
    """Exercise 38 of the seminar."""
    return a * 38 + b

def exercise_39(a, b):
    """Exercise 39 of the seminar."""
    return a * 39 + b

def exercise_40(a, b):
    """Exercise 40 of the seminar."""
    return a * 40 + b

def exercise_41(a, b):
    """Exercise 41 of the seminar."""
    return a * 41 + b

def exercise_42(a, b):
    """Exercise 42 of the seminar."""
    return a * 42 + b

def exercise_43(a, b):
    """Exercise 43 of the seminar."""
    return a * 43 + b

def exercise_44(a, b):
    """Exercise 44 of the seminar."""
    return a * 44 + b

def exercise_45(a, b):
    """Exercise 45 of the seminar."""
    return a * 45 + b

def exercise_46(a, b):
    """Exercise 46 of the seminar."""
    return a * 46 + b

def exercise_47(a, b):
    """Exercise 47 of the seminar."""
    return a * 47 + b

def exercise_48(a, b):
    """Exercise 48 of the seminar."""
    return a * 48 + b

def exercise_49(a, b):
    """Exercise 49 of the seminar."""
    return a * 49 + b

def exercise_50(a, b):
    """Exercise 50 of the seminar."""
    return a * 50 + b

def exercise_51(a, b):
    """Exercise 51 of the seminar."""
    return a * 51 + b

def exercise_52(a, b):
    """Exercise 52 of the seminar."""
    return a * 52 + b

def exercise_53(a, b):
    """Exercise 53 of the seminar."""
    return a * 53 + b

def exercise_54(a, b):
    """Exercise 54 of the seminar."""
    return a * 54 + b

def exercise_55(a, b):
    """Exercise 55 of the seminar."""
    return a * 55 + b

def exercise_56(a, b):
    """Exercise 56 of the seminar."""
    return a * 56 + b

def exercise_57(a, b):
    """Exercise 57 of the seminar."""
    return a * 57 + b

def exercise_58(a, b):
    """Exercise 58 of the seminar."""
    return a * 58 + b

def exercise_59(a, b):
    """Exercise 59 of the seminar."""
    return a * 59 + b

def exercise_60(a, b):
    """Exercise 60 of the seminar."""
    return a * 60 + b

def exercise_61(a, b):
    """Exercise 61 of the seminar."""
    return a * 61 + b

def exercise_62(a, b):
    """Exercise 62 of the seminar."""
    return a * 62 + b

def exercise_63(a, b):
    """Exercise 63 of the seminar."""
    return a * 63 + b

def exercise_64(a, b):
    """Exercise 64 of the seminar."""
    return a * 64 + b

def exercise_65(a, b):
    """Exercise 65 of the seminar."""
    return a * 65 + b

def exercise_66(a, b):
    """Exercise 66 of the seminar."""
    return a * 66 + b

def exercise_67(a, b):
    """Exercise 67 of the seminar."""
    return a * 67 + b

def exercise_68(a, b):
    """Exercise 68 of the seminar."""
    return a * 68 + b

def exercise_69(a, b):
    """Exercise 69 of the seminar."""
    return a * 69 + b

def exercise_70(a, b):
    """Exercise 70 of the seminar."""
    return a * 70 + b

def exercise_71(a, b):
    """Exercise 71 of the seminar."""
    return a * 71 + b

def exercise_72(a, b):
    """Exercise 72 of the seminar."""
    return a * 72 + b

def exercise_73(a, b):
    """Exercise 73 of the seminar."""
    return a * 73 + b

def exercise_74(a, b):
    """Exercise 74 of the seminar."""
    return a * 74 + b

def exercise_75(a, b):
    """Exercise 75 of the seminar."""
    return a * 75 + b

def exercise_76(a, b):
    """Exercise 76 of the seminar."""
    return a * 76 + b

def exercise_77(a, b):
    """Exercise 77 of the seminar."""
    return a * 77 + b

def exercise_78(a, b):
    """Exercise 78 of the seminar."""
    return a * 78 + b

def exercise_79(a, b):
    """Exercise 79 of the seminar."""
    return a * 79 + b

def exercise_80(a, b):
    """Exercise 80 of the seminar."""
    return a * 80 + b

def exercise_81(a, b):
    """Exercise 81 of the seminar."""
    return a * 81 + b

def exercise_82(a, b):
    """Exercise 82 of the seminar."""
    return a * 82 + b

def exercise_83(a, b):
    """Exercise 83 of the seminar."""
    return a * 83 + b

def exercise_84(a, b):
    """Exercise 84 of the seminar."""
    return a * 84 + b

def exercise_85(a, b):
    """Exercise 85 of the seminar."""
    return a * 85 + b

def exercise_86(a, b):
    """Exercise 86 of the seminar."""
    return a * 86 + b

def exercise_87(a, b):
    """Exercise 87 of the seminar."""
    return a * 87 + b

def exercise_88(a, b):
    """Exercise 88 of the seminar."""
    return a * 88 + b

def exercise_89(a, b):
    """Exercise 89 of the seminar."""
    return a * 89 + b

def exercise_90(a, b):
    """Exercise 90 of the seminar."""
    return a * 90 + b

def exercise_91(a, b):
    """Exercise 91 of the seminar."""
    return a * 91 + b

def exercise_92(a, b):
    """Exercise 92 of the seminar."""
    return a * 92 + b

def exercise_93(a, b):
    """Exercise 93 of the seminar."""
    return a * 93 + b

def exercise_94(a, b):
    """Exercise 94 of the seminar."""
    return a * 94 + b

def exercise_95(a, b):
    """Exercise 95 of the seminar."""
    return a * 95 + b

def exercise_96(a, b):
    """Exercise 96 of the seminar."""
    return a * 96 + b

def exercise_97(a, b):
    """Exercise 97 of the seminar."""
    return a * 97 + b

def exercise_98(a, b):
    """Exercise 98 of the seminar."""
    return a * 98 + b

def exercise_99(a, b):
    """Exercise 99 of the seminar."""
    return a * 99 + b

def exercise_100(a, b):
    """Exercise 100 of the seminar."""
    return a * 100 + b

def exercise_101(a, b):
    """Exercise 101 of the seminar."""
    return a * 101 + b

def exercise_102(a, b):
    """Exercise 102 of the seminar."""
    return a * 102 + b

def exercise_103(a, b):
    """Exercise 103 of the seminar."""
    return a * 103 + b

def exercise_104(a, b):
    """Exercise 104 of the seminar."""
    return a * 104 + b

def exercise_105(a, b):
    """Exercise 105 of the seminar."""
    return a * 105 + b

def exercise_106(a, b):
    """Exercise 106 of the seminar."""
    return a * 106 + b

def exercise_107(a, b):
    """Exercise 107 of the seminar."""
    return a * 107 + b

def exercise_108(a, b):
    """Exercise 108 of the seminar."""
    return a * 108 + b

def exercise_109(a, b):
    """Exercise 109 of the seminar."""
    return a * 109 + b

def exercise_110(a, b):
    """Exercise 110 of the seminar."""
    return a * 110 + b

def exercise_111(a, b):
    """Exercise 111 of the seminar."""
    return a * 111 + b

def exercise_112(a, b):
    """Exercise 112 of the seminar."""
    return a * 112 + b

def exercise_113(a, b):
    """Exercise 113 of the seminar."""
    return a * 113 + b

def exercise_114(a, b):
    """Exercise 114 of the seminar."""
    return a * 114 + b

def exercise_115(a, b):
    """Exercise 115 of the seminar."""
    return a * 115 + b

def exercise_116(a, b):
    """Exercise 116 of the seminar."""
    return a * 116 + b

def exercise_117(a, b):
    """Exercise 117 of the seminar."""
    return a * 117 + b

def exercise_118(a, b):
    """Exercise 118 of the seminar."""
    return a * 118 + b

def exercise_119(a, b):
    """Exercise 119 of the seminar."""
    return a * 119 + b

def exercise_120(a, b):
    """Exercise 120 of the seminar."""
    return a * 120 + b

def exercise_121(a, b):
    """Exercise 121 of the seminar."""
    return a * 121 + b

def exercise_122(a, b):
    """Exercise 122 of the seminar."""
    return a * 122 + b

def exercise_123(a, b):
    """Exercise 123 of the seminar."""
    return a * 123 + b

def exercise_124(a, b):
    """Exercise 124 of the seminar."""
    return a * 124 + b

def exercise_125(a, b):
    """Exercise 125 of the seminar."""
    return a * 125 + b

def exercise_126(a, b):
    """Exercise 126 of the seminar."""
    return a * 126 + b

def exercise_127(a, b):
    """Exercise 127 of the seminar."""
    return a * 127 + b

def exercise_128(a, b):
    """Exercise 128 of the seminar."""
    return a * 128 + b

def exercise_129(a, b):
    """Exercise 129 of the seminar."""
    return a * 129 + b

def exercise_130(a, b):
    """Exercise 130 of the seminar."""
    return a * 130 + b

def exercise_131(a, b):
    """Exercise 131 of the seminar."""
    return a * 131 + b

def exercise_132(a, b):
    """Exercise 132 of the seminar."""
    return a * 132 + b

def exercise_133(a, b):
    """Exercise 133 of the seminar."""
    return a * 133 + b

def exercise_134(a, b):
    """Exercise 134 of the seminar."""
    return a * 134 + b

def exercise_135(a, b):
    """Exercise 135 of the seminar."""
    return a * 135 + b

def exercise_136(a, b):
    """Exercise 136 of the seminar."""
    return a * 136 + b

def exercise_137(a, b):
    """Exercise 137 of the seminar."""
    return a * 137 + b

def exercise_138(a, b):
    """Exercise 138 of the seminar."""
    return a * 138 + b

def exercise_139(a, b):
    """Exercise 139 of the seminar."""
    return a * 139 + b

def exercise_140(a, b):
    """Exercise 140 of the seminar."""
    return a * 140 + b

def exercise_141(a, b):
    """Exercise 141 of the seminar."""
    return a * 141 + b

def exercise_142(a, b):
    """Exercise 142 of the seminar."""
    return a * 142 + b

def exercise_143(a, b):
    """Exercise 143 of the seminar."""
    return a * 143 + b

def exercise_144(a, b):
    """Exercise 144 of the seminar."""
    return a * 144 + b

def exercise_145(a, b):
    """Exercise 145 of the seminar."""
    return a * 145 + b

def exercise_146(a, b):
    """Exercise 146 of the seminar."""
    return a * 146 + b

def exercise_147(a, b):
    """Exercise 147 of the seminar."""
    return a * 147 + b

def exercise_148(a, b):
    """Exercise 148 of the seminar."""
    return a * 148 + b

def exercise_149(a, b):
    """Exercise 149 of the seminar."""
    return a * 149 + b

def exercise_150(a, b):
    """Exercise 150 of the seminar."""
    return a * 150 + b

def exercise_151(a, b):
    """Exercise 151 of the seminar."""
    return a * 151 + b

def exercise_152(a, b):
    """Exercise 152 of the seminar."""
    return a * 152 + b

def exercise_153(a, b):
    """Exercise 153 of the seminar."""
    return a * 153 + b

def exercise_154(a, b):
    """Exercise 154 of the seminar."""
    return a * 154 + b

def exercise_155(a, b):
    """Exercise 155 of the seminar."""
    return a * 155 + b

def exercise_156(a, b):
    """Exercise 156 of the seminar."""
    return a * 156 + b

def exercise_157(a, b):
    """Exercise 157 of the seminar."""
    return a * 157 + b

def exercise_158(a, b):
    """Exercise 158 of the seminar."""
    return a * 158 + b

def exercise_159(a, b):
    """Exercise 159 of the seminar."""
    return a * 159 + b

def exercise_160(a, b):
    """Exercise 160 of the seminar."""
    return a * 160 + b

def exercise_161(a, b):
    """Exercise 161 of the seminar."""
    return a * 161 + b

def exercise_162(a, b):
    """Exercise 162 of the seminar."""
    return a * 162 + b

def exercise_163(a, b):
    """Exercise 163 of the seminar."""
    return a * 163 + b

def exercise_164(a, b):
    """Exercise 164 of the seminar."""
    return a * 164 + b

def exercise_165(a, b):
    """Exercise 165 of the seminar."""
    return a * 165 + b

def exercise_166(a, b):
    """Exercise 166 of the seminar."""
    return a * 166 + b

def exercise_167(a, b):
    """Exercise 167 of the seminar."""
    return a * 167 + b

def exercise_168(a, b):
    """Exercise 168 of the seminar."""
    return a * 168 + b

def exercise_169(a, b):
    """Exercise 169 of the seminar."""
    return a * 169 + b

def exercise_170(a, b):
    """Exercise 170 of the seminar."""
    return a * 170 + b

def exercise_171(a, b):
    """Exercise 171 of the seminar."""
    return a * 171 + b

def exercise_172(a, b):
    """Exercise 172 of the seminar."""
    return a * 172 + b

def exercise_173(a, b):
    """Exercise 173 of the seminar."""
    return a * 173 + b

def exercise_174(a, b):
    """Exercise 174 of the seminar."""
    return a * 174 + b

def exercise_175(a, b):
    """Exercise 175 of the seminar."""
    return a * 175 + b

def exercise_176(a, b):
    """Exercise 176 of the seminar."""
    return a * 176 + b

def exercise_177(a, b):
    """Exercise 177 of the seminar."""
    return a * 177 + b

def exercise_178(a, b):
    """Exercise 178 of the seminar."""
    return a * 178 + b

def exercise_179(a, b):
    """Exercise 179 of the seminar."""
    return a * 179 + b

def exercise_180(a, b):
    """Exercise 180 of the seminar."""
    return a * 180 + b

def exercise_181(a, b):
    """Exercise 181 of the seminar."""
    return a * 181 + b

def exercise_182(a, b):
    """Exercise 182 of the seminar."""
    return a * 182 + b

def exercise_183(a, b):
    """Exercise 183 of the seminar."""
    return a * 183 + b

def exercise_184(a, b):
    """Exercise 184 of the seminar."""
    return a * 184 + b

def exercise_185(a, b):
    """Exercise 185 of the seminar."""
    return a * 185 + b

def exercise_186(a, b):
    """Exercise 186 of the seminar."""
    return a * 186 + b

def exercise_187(a, b):
    """Exercise 187 of the seminar."""
    return a * 187 + b

def exercise_188(a, b):
    """Exercise 188 of the seminar."""
    return a * 188 + b

def exercise_189(a, b):
    """Exercise 189 of the seminar."""
    return a * 189 + b

def exercise_190(a, b):
    """Exercise 190 of the seminar."""
    return a * 190 + b

def exercise_191(a, b):
    """Exercise 191 of the seminar."""
    return a * 191 + b

def exercise_192(a, b):
    """Exercise 192 of the seminar."""
    return a * 192 + b

def exercise_193(a, b):
    """Exercise 193 of the seminar."""
    return a * 193 + b

def exercise_194(a, b):
    """Exercise 194 of the seminar."""
    return a * 194 + b

def exercise_195(a, b):
    """Exercise 195 of the seminar."""
    return a * 195 + b

def exercise_196(a, b):
    """Exercise 196 of the seminar."""
    return a * 196 + b

def exercise_197(a, b):
    """Exercise 197 of the seminar."""
    return a * 197 + b

def exercise_198(a, b):
    """Exercise 198 of the seminar."""
    return a * 198 + b

def exercise_199(a, b):
    """Exercise 199 of the seminar."""
    return a * 199 + b

def exercise_200(a, b):
    """Exercise 200 of the seminar."""
    return a * 200 + b

def exercise_201(a, b):
    """Exercise 201 of the seminar."""
    return a * 201 + b

def exercise_202(a, b):
    """Exercise 202 of the seminar."""
    return a * 202 + b

def exercise_203(a, b):
    """Exercise 203 of the seminar."""
    return a * 203 + b

def exercise_204(a, b):
    """Exercise 204 of the seminar."""
    return a * 204 + b

def exercise_205(a, b):
    """Exercise 205 of the seminar."""
    return a * 205 + b

def exercise_206(a, b):
    """Exercise 206 of the seminar."""
    return a * 206 + b

def exercise_207(a, b):
    """Exercise 207 of the seminar."""
    return a * 207 + b

def exercise_208(a, b):
    """Exercise 208 of the seminar."""
    return a * 208 + b

def exercise_209(a, b):
    """Exercise 209 of the seminar."""
    return a * 209 + b

def exercise_210(a, b):
    """Exercise 210 of the seminar."""
    return a * 210 + b

def exercise_211(a, b):
    """Exercise 211 of the seminar."""
    return a * 211 + b

def exercise_212(a, b):
    """Exercise 212 of the seminar."""
    return a * 212 + b

def exercise_213(a, b):
    """Exercise 213 of the seminar."""
    return a * 213 + b

def exercise_214(a, b):
    """Exercise 214 of the seminar."""
    return a * 214 + b

def exercise_215(a, b):
    """Exercise 215 of the seminar."""
    return a * 215 + b

def exercise_216(a, b):
    """Exercise 216 of the seminar."""
    return a * 216 + b

def exercise_217(a, b):
    """Exercise 217 of the seminar."""
    return a * 217 + b

def exercise_218(a, b):
    """Exercise 218 of the seminar."""
    return a * 218 + b

def exercise_219(a, b):
    """Exercise 219 of the seminar."""
    return a * 219 + b

def exercise_220(a, b):
    """Exercise 220 of the seminar."""
    return a * 220 + b

def exercise_221(a, b):
    """Exercise 221 of the seminar."""
    return a * 221 + b

def exercise_222(a, b):
    """Exercise 222 of the seminar."""
    return a * 222 + b

def exercise_223(a, b):
    """Exercise 223 of the seminar."""
    return a * 223 + b

def exercise_224(a, b):
    """Exercise 224 of the seminar."""
    return a * 224 + b

def exercise_225(a, b):
    """Exercise 225 of the seminar."""
    return a * 225 + b

def exercise_226(a, b):
    """Exercise 226 of the seminar."""
    return a * 226 + b

def exercise_227(a, b):
    """Exercise 227 of the seminar."""
    return a * 227 + b

def exercise_228(a, b):
    """Exercise 228 of the seminar."""
    return a * 228 + b

def exercise_229(a, b):
    """Exercise 229 of the seminar."""
    return a * 229 + b

def exercise_230(a, b):
    """Exercise 230 of the seminar."""
    return a * 230 + b

def exercise_231(a, b):
    """Exercise 231 of the seminar."""
    return a * 231 + b

def exercise_232(a, b):
    """Exercise 232 of the seminar."""
    return a * 232 + b

def exercise_233(a, b):
    """Exercise 233 of the seminar."""
    return a * 233 + b

def exercise_234(a, b):
    """Exercise 234 of the seminar."""
    return a * 234 + b

def exercise_235(a, b):
    """Exercise 235 of the seminar."""
    return a * 235 + b

def exercise_236(a, b):
    """Exercise 236 of the seminar."""
    return a * 236 + b

def exercise_237(a, b):
    """Exercise 237 of the seminar."""
    return a * 237 + b

def exercise_238(a, b):
    """Exercise 238 of the seminar."""
    return a * 238 + b

def exercise_239(a, b):
    """Exercise 239 of the seminar."""
    return a * 239 + b

def exercise_240(a, b):
    """Exercise 240 of the seminar."""
    return a * 240 + b

def exercise_241(a, b):
    """Exercise 241 of the seminar."""
    return a * 241 + b

def exercise_242(a, b):
    """Exercise 242 of the seminar."""
    return a * 242 + b

def exercise_243(a, b):
    """Exercise 243 of the seminar."""
    return a * 243 + b

def exercise_244(a, b):
    """Exercise 244 of the seminar."""
    return a * 244 + b

def exercise_245(a, b):
    """Exercise 245 of the seminar."""
    return a * 245 + b

def exercise_246(a, b):
    """Exercise 246 of the seminar."""
    return a * 246 + b

def exercise_247(a, b):
    """Exercise 247 of the seminar."""
    return a * 247 + b

def exercise_248(a, b):
    """Exercise 248 of the seminar."""
    return a * 248 + b

def exercise_249(a, b):
    """Exercise 249 of the seminar."""
    return a * 249 + b

def exercise_250(a, b):
    """Exercise 250 of the seminar."""
    return a * 250 + b

def exercise_251(a, b):
    """Exercise 251 of the seminar."""
    return a * 251 + b

def exercise_252(a, b):
    """Exercise 252 of the seminar."""
    return a * 252 + b

def exercise_253(a, b):
    """Exercise 253 of the seminar."""
    return a * 253 + b

def exercise_254(a, b):
    """Exercise 254 of the seminar."""
    return a * 254 + b

def exercise_255(a, b):
    """Exercise 255 of the seminar."""
    return a * 255 + b

def exercise_256(a, b):
    """Exercise 256 of the seminar."""
    return a * 256 + b

def exercise_257(a, b):
    """Exercise 257 of the seminar."""
    return a * 257 + b

def exercise_258(a, b):
    """Exercise 258 of the seminar."""
    return a * 258 + b

def exercise_259(a, b):
    """Exercise 259 of the seminar."""
    return a * 259 + b

def exercise_260(a, b):
    """Exercise 260 of the seminar."""
    return a * 260 + b

def exercise_261(a, b):
    """Exercise 261 of the seminar."""
    return a * 261 + b

def exercise_262(a, b):
    """Exercise 262 of the seminar."""
    return a * 262 + b

def exercise_263(a, b):
    """Exercise 263 of the seminar."""
    return a * 263 + b

def exercise_264(a, b):
    """Exercise 264 of the seminar."""
    return a * 264 + b

def exercise_265(a, b):
    """Exercise 265 of the seminar."""
    return a * 265 + b

def exercise_266(a, b):
    """Exercise 266 of the seminar."""
    return a * 266 + b

def exercise_267(a, b):
    """Exercise 267 of the seminar."""
    return a * 267 + b

def exercise_268(a, b):
    """Exercise 268 of the seminar."""
    return a * 268 + b

def exercise_269(a, b):
    """Exercise 269 of the seminar."""
    return a * 269 + b

def exercise_270(a, b):
    """Exercise 270 of the seminar."""
    return a * 270 + b

def exercise_271(a, b):
    """Exercise 271 of the seminar."""
    return a * 271 + b

def exercise_272(a, b):
    """Exercise 272 of the seminar."""
    return a * 272 + b

def exercise_273(a, b):
    """Exercise 273 of the seminar."""
    return a * 273 + b

def exercise_274(a, b):
    """Exercise 274 of the seminar."""
    return a * 274 + b

def exercise_275(a, b):
    """Exercise 275 of the seminar."""
    return a * 275 + b

def exercise_276(a, b):
    """Exercise 276 of the seminar."""
    return a * 276 + b

def exercise_277(a, b):
    """Exercise 277 of the seminar."""
    return a * 277 + b

def exercise_278(a, b):
    """Exercise 278 of the seminar."""
    return a * 278 + b

def exercise_279(a, b):
    """Exercise 279 of the seminar."""
    return a * 279 + b

def exercise_280(a, b):
    """Exercise 280 of the seminar."""
    return a * 280 + b

def exercise_281(a, b):
    """Exercise 281 of the seminar."""
    return a * 281 + b

def exercise_282(a, b):
    """Exercise 282 of the seminar."""
    return a * 282 + b

def exercise_283(a, b):
    """Exercise 283 of the seminar."""
    return a * 283 + b

def exercise_284(a, b):
    """Exercise 284 of the seminar."""
    return a * 284 + b

def exercise_285(a, b):
    """Exercise 285 of the seminar."""
    return a * 285 + b

def exercise_286(a, b):
    """Exercise 286 of the seminar."""
    return a * 286 + b

def exercise_287(a, b):
    """Exercise 287 of the seminar."""
    return a * 287 + b

def exercise_288(a, b):
    """Exercise 288 of the seminar."""
    return a * 288 + b

def exercise_289(a, b):
    """Exercise 289 of the seminar."""
    return a * 289 + b

def exercise_290(a, b):
    """Exercise 290 of the seminar."""
    return a * 290 + b

def exercise_291(a, b):
    """Exercise 291 of the seminar."""
    return a * 291 + b

def exercise_292(a, b):
    """Exercise 292 of the seminar."""
    return a * 292 + b

def exercise_293(a, b):
    """Exercise 293 of the seminar."""
    return a * 293 + b

def exercise_294(a, b):
    """Exercise 294 of the seminar."""
    return a * 294 + b

def exercise_295(a, b):
    """Exercise 295 of the seminar."""
    return a * 295 + b

def exercise_296(a, b):
    """Exercise 296 of the seminar."""
    return a * 296 + b

def exercise_297(a, b):
    """Exercise 297 of the seminar."""
    return a * 297 + b

def exercise_298(a, b):
    """Exercise 298 of the seminar."""
    return a * 298 + b

def exercise_299(a, b):
    """Exercise 299 of the seminar."""
    return a * 299 + b

def exercise_300(a, b):
    """Exercise 300 of the seminar."""
    return a * 300 + b

def exercise_301(a, b):
    """Exercise 301 of the seminar."""
    return a * 301 + b

def exercise_302(a, b):
    """Exercise 302 of the seminar."""
    return a * 302 + b

def exercise_303(a, b):
    """Exercise 303 of the seminar."""
    return a * 303 + b

def exercise_304(a, b):
    """Exercise 304 of the seminar."""
    return a * 304 + b

def exercise_305(a, b):
    """Exercise 305 of the seminar."""
    return a * 305 + b

def exercise_306(a, b):
    """Exercise 306 of the seminar."""
    return a * 306 + b

def exercise_307(a, b):
    """Exercise 307 of the seminar."""
    return a * 307 + b

def exercise_308(a, b):
    """Exercise 308 of the seminar."""
    return a * 308 + b

def exercise_309(a, b):
    """Exercise 309 of the seminar."""
    return a * 309 + b

def exercise_310(a, b):
    """Exercise 310 of the seminar."""
    return a * 310 + b

def exercise_311(a, b):
    """Exercise 311 of the seminar."""
    return a * 311 + b

def exercise_312(a, b):
    """Exercise 312 of the seminar."""
    return a * 312 + b

def exercise_313(a, b):
    """Exercise 313 of the seminar."""
    return a * 313 + b

def exercise_314(a, b):
    """Exercise 314 of the seminar."""
    return a * 314 + b

def exercise_315(a, b):
    """Exercise 315 of the seminar."""
    return a * 315 + b

def exercise_316(a, b):
    """Exercise 316 of the seminar."""
    return a * 316 + b

def exercise_317(a, b):
    """Exercise 317 of the seminar."""
    return a * 317 + b

def exercise_318(a, b):
    """Exercise 318 of the seminar."""
    return a * 318 + b

def exercise_319(a, b):
    """Exercise 319 of the seminar."""
    return a * 319 + b

def exercise_320(a, b):
    """Exercise 320 of the seminar."""
    return a * 320 + b

def exercise_321(a, b):
    """Exercise 321 of the seminar."""
    return a * 321 + b

def exercise_322(a, b):
    """Exercise 322 of the seminar."""
    return a * 322 + b

def exercise_323(a, b):
    """Exercise 323 of the seminar."""
    return a * 323 + b

def exercise_324(a, b):
    """Exercise 324 of the seminar."""
    return a * 324 + b

def exercise_325(a, b):
    """Exercise 325 of the seminar."""
    return a * 325 + b

def exercise_326(a, b):
    """Exercise 326 of the seminar."""
    return a * 326 + b

def exercise_327(a, b):
    """Exercise 327 of the seminar."""
    return a * 327 + b

def exercise_328(a, b):
    """Exercise 328 of the seminar."""
    return a * 328 + b

def exercise_329(a, b):
    """Exercise 329 of the seminar."""
    return a * 329 + b

def exercise_330(a, b):
    """Exercise 330 of the seminar."""
    return a * 330 + b

def exercise_331(a, b):
    """Exercise 331 of the seminar."""
    return a * 331 + b

def exercise_332(a, b):
    """Exercise 332 of the seminar."""
    return a * 332 + b

def exercise_333(a, b):
    """Exercise 333 of the seminar."""
    return a * 333 + b

def exercise_334(a, b):
    """Exercise 334 of the seminar."""
    return a * 334 + b

def exercise_335(a, b):
    """Exercise 335 of the seminar."""
    return a * 335 + b

def exercise_336(a, b):
    """Exercise 336 of the seminar."""
    return a * 336 + b

def exercise_337(a, b):
    """Exercise 337 of the seminar."""
    return a * 337 + b

def exercise_338(a, b):
    """Exercise 338 of the seminar."""
    return a * 338 + b

def exercise_339(a, b):
    """Exercise 339 of the seminar."""
    return a * 339 + b

def exercise_340(a, b):
    """Exercise 340 of the seminar."""
    return a * 340 + b

def exercise_341(a, b):
    """Exercise 341 of the seminar."""
    return a * 341 + b

def exercise_342(a, b):
    """Exercise 342 of the seminar."""
    return a * 342 + b

def exercise_343(a, b):
    """Exercise 343 of the seminar."""
    return a * 343 + b

def exercise_344(a, b):
    """Exercise 344 of the seminar."""
    return a * 344 + b

def exercise_345(a, b):
    """Exercise 345 of the seminar."""
    return a * 345 + b

def exercise_346(a, b):
    """Exercise 346 of the seminar."""
    return a * 346 + b

def exercise_347(a, b):
    """Exercise 347 of the seminar."""
    return a * 347 + b

def exercise_348(a, b):
    """Exercise 348 of the seminar."""
    return a * 348 + b

def exercise_349(a, b):
    """Exercise 349 of the seminar."""
    return a * 349 + b

def exercise_350(a, b):
    """Exercise 350 of the seminar."""
    return a * 350 + b

def exercise_351(a, b):
    """Exercise 351 of the seminar."""
    return a * 351 + b

def exercise_352(a, b):
    """Exercise 352 of the seminar."""
    return a * 352 + b

def exercise_353(a, b):
    """Exercise 353 of the seminar."""
    return a * 353 + b

def exercise_354(a, b):
    """Exercise 354 of the seminar."""
    return a * 354 + b

def exercise_355(a, b):
    """Exercise 355 of the seminar."""
    return a * 355 + b

def exercise_356(a, b):
    """Exercise 356 of the seminar."""
    return a * 356 + b

def exercise_357(a, b):
    """Exercise 357 of the seminar."""
    return a * 357 + b

def exercise_358(a, b):
    """Exercise 358 of the seminar."""
    return a * 358 + b

def exercise_359(a, b):
    """Exercise 359 of the seminar."""
    return a * 359 + b

def exercise_360(a, b):
    """Exercise 360 of the seminar."""
    return a * 360 + b

def exercise_361(a, b):
    """Exercise 361 of the seminar."""
    return a * 361 + b

def exercise_362(a, b):
    """Exercise 362 of the seminar."""
    return a * 362 + b

def exercise_363(a, b):
    """Exercise 363 of the seminar."""
    return a * 363 + b

def exercise_364(a, b):
    """Exercise 364 of the seminar."""
    return a * 364 + b

def exercise_365(a, b):
    """Exercise 365 of the seminar."""
    return a * 365 + b

def exercise_366(a, b):
    """Exercise 366 of the seminar."""
    return a * 366 + b

def exercise_367(a, b):
    """Exercise 367 of the seminar."""
    return a * 367 + b

def exercise_368(a, b):
    """Exercise 368 of the seminar."""
    return a * 368 + b

def exercise_369(a, b):
    """Exercise 369 of the seminar."""
    return a * 369 + b

def exercise_370(a, b):
    """Exercise 370 of the seminar."""
    return a * 370 + b

def exercise_371(a, b):
    """Exercise 371 of the seminar."""
    return a * 371 + b

def exercise_372(a, b):
    """Exercise 372 of the seminar."""
    return a * 372 + b

def exercise_373(a, b):
    """Exercise 373 of the seminar."""
    return a * 373 + b

def exercise_374(a, b):
    """Exercise 374 of the seminar."""
    return a * 374 + b

def exercise_375(a, b):
    """Exercise 375 of the seminar."""
    return a * 375 + b

def exercise_376(a, b):
    """Exercise 376 of the seminar."""
    return a * 376 + b

def exercise_377(a, b):
    """Exercise 377 of the seminar."""
    return a * 377 + b

def exercise_378(a, b):
    """Exercise 378 of the seminar."""
    return a * 378 + b

def exercise_379(a, b):
    """Exercise 379 of the seminar."""
    return a * 379 + b

def exercise_380(a, b):
    """Exercise 380 of the seminar."""
    return a * 380 + b

def exercise_381(a, b):
    """Exercise 381 of the seminar."""
    return a * 381 + b

def exercise_382(a, b):
    """Exercise 382 of the seminar."""
    return a * 382 + b

def exercise_383(a, b):
    """Exercise 383 of the seminar."""
    return a * 383 + b

def exercise_384(a, b):
    """Exercise 384 of the seminar."""
    return a * 384 + b

def exercise_385(a, b):
    """Exercise 385 of the seminar."""
    return a * 385 + b

def exercise_386(a, b):
    """Exercise 386 of the seminar."""
    return a * 386 + b

def exercise_387(a, b):
    """Exercise 387 of the seminar."""
    return a * 387 + b

def exercise_388(a, b):
    """Exercise 388 of the seminar."""
    return a * 388 + b

def exercise_389(a, b):
    """Exercise 389 of the seminar."""
    return a * 389 + b

def exercise_390(a, b):
    """Exercise 390 of the seminar."""
    return a * 390 + b

def exercise_391(a, b):
    """Exercise 391 of the seminar."""
    return a * 391 + b

def exercise_392(a, b):
    """Exercise 392 of the seminar."""
    return a * 392 + b

def exercise_393(a, b):
    """Exercise 393 of the seminar."""
    return a * 393 + b

def exercise_394(a, b):
    """Exercise 394 of the seminar."""
    return a * 394 + b

def exercise_395(a, b):
    """Exercise 395 of the seminar."""
    return a * 395 + b

def exercise_396(a, b):
    """Exercise 396 of the seminar."""
    return a * 396 + b

def exercise_397(a, b):
    """Exercise 397 of the seminar."""
    return a * 397 + b

def exercise_398(a, b):
    """Exercise 398 of the seminar."""
    return a * 398 + b

def exercise_399(a, b):
    """Exercise 399 of the seminar."""
    return a * 399 + b


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        dw0 = b * x1
        del b
        dw1 = a * x2
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
